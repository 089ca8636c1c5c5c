import type { SettingsChange, SettingsHistory, SiteAnswer } from "#api/modules/settings/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure, exitCodes, usage } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { wholeNumber } from "#cli/operations/typed-values.ts";
import { formatMinute, formatSecond } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, formatFacts, whole } from "#cli/terminal/table.ts";
import { hasPath, wordOf } from "#contract/define-settings.ts";
import {
  type ChangedField,
  type SettingValue,
  settingsTexts,
  type TestResult,
  type TestStep,
} from "#contract/settings.ts";
import { listText, type View } from "../../operations/declared-command.ts";
import { isSettingPath, readParts, settingPath, settingPaths } from "./settings-set.ts";

/** What the commands about settings do that no declaration can say. */
export const settingsViews = {
  "settings get": {
    run: async (invocation) => {
      const [path = ""] = invocation.args;
      refuseSecret(path);
      const all = await withClient(invocation, (client) => readParts(client));
      const value = path === "" ? all : valueAt(all, path);
      invocation.output.result(value, (shown, style) => {
        if (isSection(shown)) return formatFacts(withLocks(factsIn(shown, path), all), style);
        // Programs get the value itself.
        return style.isTerminal ? printable(wordOf(shown), "\n") : wordOf(shown);
      });
    },
  } satisfies View<never>,
  "settings history": {
    text: ({ changes }, style) =>
      listText(changes.map(typedChange), { columns, none: "No settings have been changed yet.", style }),
  } satisfies View<SettingsHistory>,
  "settings show": {
    read: { id: wholeNumber },
    run: async (invocation) => {
      const id = wholeNumber(invocation.args[0] ?? "");
      const change = await withClient(invocation, (client) => findSettingChange(client, id));
      invocation.output.result(change, changeFacts);
    },
  } satisfies View<never>,
  "settings revert": {
    read: { id: wholeNumber },
    run: async (invocation) => {
      const id = wholeNumber(invocation.args[0] ?? "");
      const change = await withClient(invocation, async (client) => {
        await invocation.confirm(async () => {
          const lines = revertPreview(typedChange(await findSettingChange(client, id)));
          invocation.output.note(lines.map((line) => printable(line)).join("\n"));
          return `Revert change ${id}?`;
        });
        return (await operationsOf(client).settings.revert({ id: String(id) })).data;
      });
      invocation.output.result(change, (made) =>
        typedChange(made)
          .fields.map((field) => printable(fieldText(field)))
          .join("\n"),
      );
    },
  } satisfies View<never>,
};

const refuseSecret = (path: string): void => {
  if (!isSettingPath(path) || settingPaths[path].kind !== "secret") return;
  throw usage(`secrets are never shown; to see whether one is stored: atrium settings get ${hasPath(path)}`);
};

/** What stands at a dotted path. Throws `USAGE` when nothing does. */
const valueAt = (all: object, path: string): unknown => {
  let value: unknown = all;
  for (const name of path.split(".")) {
    if (!isSection(value) || !Object.hasOwn(value, name)) settingPath(path);
    value = Reflect.get(Object(value), name);
  }
  return value;
};

const isSection = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values below a section, each under its whole path; secrets, which read empty, are left out. */
const factsIn = (section: object, path: string): [name: string, value: string][] =>
  Object.entries(section).flatMap(([name, value]) => {
    const own = path === "" ? name : `${path}.${name}`;
    // Other lists come along for the form; they are no settings.
    if (Array.isArray(value) && !isSettingPath(own)) return [];
    if (isSection(value)) return factsIn(value, own);
    const isSecret = isSettingPath(own) && settingPaths[own].kind === "secret";
    return isSecret ? [] : [[own, inOneLine(wordOf(value))] satisfies [string, string]];
  });

const inOneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ");

/** The same, with what no one can change here marked as such. */
const withLocks = (
  facts: [name: string, value: string][],
  all: Record<string, unknown>,
): [name: string, value: string][] => {
  // Servers before version 1.2 tell of none.
  const { locked: told = [] } = all.site as Partial<SiteAnswer>;
  const locked = new Map(told.map(({ path, reason }) => [`site.${path}`, reason]));
  return facts.map(([name, value]) => {
    const reason = locked.get(name);
    return [name, reason === undefined ? value : `${value} (${reason})`];
  });
};

const changeText = ({ fields, reverts }: SettingsChange): string => {
  const told = fields.map(fieldText).join("; ");
  return reverts === null ? told : `reverted ${reverts}: ${told}`;
};

const columns: Column<SettingsChange>[] = [
  { heading: "ID", cell: ({ id }) => String(id), least: whole },
  { heading: "WHEN", cell: ({ at }) => formatMinute(at), least: whole },
  { heading: "BY", cell: ({ by }) => by },
  { heading: "CHANGE", cell: changeText, least: 30 },
];

const changeFacts = (change: SettingsChange, style: Style): string => {
  const { id, at, by, fields, reverts, canRevert } = typedChange(change);
  return formatFacts(
    [
      ["Id", String(id)],
      ["When", formatSecond(at)],
      ["By", by],
      ["Reverts", reverts === null ? "nothing" : `change ${reverts}`],
      ["Can be reverted", canRevert ? "yes" : "no"],
      ...fields.map((field) => [field.path, fieldFate(field)] as const),
    ],
    style,
  );
};

/** What taking a change back will do, a line each. Throws `CONFLICT` when the API would refuse it. */
const revertPreview = ({ fields, canRevert, losesSecrets }: SettingsChange): string[] => {
  const visible = fields.filter((field) => !field.isSecret);
  if (!canRevert)
    throw new CliFailure(
      "CONFLICT",
      visible.length === 0 ? settingsTexts.nothingToRevert : settingsTexts.changedSince,
    );
  return [
    ...visible.map((field) => fieldText({ ...field, before: field.after, after: field.before })),
    ...losesSecrets.map((path) => `${path} is removed permanently`),
  ];
};

/** A change by its number. Throws `NOT_FOUND`. */
const findSettingChange = async (client: Client, id: number): Promise<SettingsChange> => {
  const page = await operationsOf(client).settings.history({ limit: 1, before: id + 1 });
  const [change] = page.data.changes;
  if (change?.id !== id) throw new CliFailure("NOT_FOUND", settingsTexts.unknownChange);
  return change;
};

/** One field of a change in words; of secrets only what was done with them. */
const fieldText = (field: ChangedField): string =>
  `${field.path}${field.isSecret ? " " : ": "}${fieldFate(field)}`;

/** What became of a field. */
const fieldFate = (field: ChangedField): string =>
  field.isSecret ? `was ${field.deed}` : `${valueText(field.before)} → ${valueText(field.after)}`;

const valueText = (value: SettingValue): string => (value === null ? "" : wordOf(value)) || "none";

/** A change of settings with the paths that `settings get` and `settings set` take: the API names their first part once. */
const typedChange = (change: SettingsChange): SettingsChange => {
  const typed = (path: string): string => `${change.section}.${path}`;
  return {
    ...change,
    fields: change.fields.map((field) => ({ ...field, path: typed(field.path) })),
    losesSecrets: change.losesSecrets.map(typed),
  };
};

/** A test that came to its end is a result, whatever it found; the command fails all the same. */
export const showFailed = (invocation: Invocation, error: unknown): never => {
  if (error instanceof CliFailure && isOutcome(error.data))
    invocation.output.result(error.data, ({ testResult }, style) => testResultText(testResult, style));
  // What is tested is what was saved: a value that is missing there is no wrong usage.
  if (error instanceof CliFailure && error.kind === "VALIDATION_FAILED")
    throw new CliFailure(error.kind, error.message, { ...error, exitCode: exitCodes.failed });
  throw error;
};

const isOutcome = (data: unknown): data is { testResult: TestResult } =>
  Array.isArray(Reflect.get(Object(Reflect.get(Object(data), "testResult")), "testResults"));

/** What a test found, a line for each of its steps. */
export const testResultText = ({ title, message, details, testResults }: TestResult, style: Style): string =>
  [
    style.bold(printable(title)),
    ...[message, details].filter((text) => text !== "").map((text) => printable(text)),
    ...testResults.map((step) => stepText(step, style)),
  ].join("\n");

const stepText = ({ name, status, message, remedy, durationMs }: TestStep, style: Style): string => {
  const paint = { passed: style.green, warning: style.yellow, failed: style.red, skipped: style.dim }[status];
  const time = durationMs === undefined ? "" : ` (${Math.round(durationMs)} ms)`;
  const line = `${paint(status.padEnd(7))}  ${printable(`${name}: ${message}`)}${time}`;
  return remedy === undefined ? line : `${line}\n         ${printable(remedy)}`;
};
