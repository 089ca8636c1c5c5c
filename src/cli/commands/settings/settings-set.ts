import { type Command, InvalidArgumentError } from "commander";
import { features } from "#api/operations.ts";
import type { Client } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { type Cli, examples, handler, withClient } from "#cli/invocation.ts";
import { missingArgument } from "#cli/operations/typed-values.ts";
import { Planned, planOption, stepsOf } from "#cli/planned.ts";
import { printable } from "#cli/terminal/output.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import { type DeclaredPath, declaredSettings } from "#contract/core-settings.ts";
import { moduleOf } from "#contract/define-feature.ts";
import {
  type DurationSetting,
  durationWord,
  eitherOf,
  hasLines,
  type IntegerSetting,
  listIn,
  mayBeEmpty,
  nested,
  type Setting,
  type SettingsSection,
  valueAt,
  wordOf,
  wordsOf,
} from "#contract/define-settings.ts";
import type { SettingValue } from "#contract/settings.ts";

type SetOptions = { stdin?: true; clear?: true };

/** `settings set`: one setting or several together. */
export const addSettingsSetCommand = (group: Command, cli: Cli): void => {
  group
    .command("set")
    .argument("<words...>", "pairs of path and value; for a secret only the path")
    .exitOverride(
      missingArgument(
        "Give a path and its value, such as core.rateLimiting.maxRequests 500; see: atrium settings set --help",
      ),
    )
    .summary("change settings")
    .description(
      "Changes one or several settings. Secrets have no value on the command line: a hidden prompt asks " +
        "for them, or they are read from standard input, one per line. Other settings stay unchanged.",
    )
    .option("--stdin", "read missing values from standard input, one per line")
    .option("--clear", "remove what is stored at the paths: secrets, endpoints and the bucket's name")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Allow more requests", "atrium settings set core.rateLimiting.maxRequests 500"],
        [
          "Use Redis, with the password from a file",
          "atrium settings set credentials.redis.endpoint rediss://cache.example credentials.redis.password --stdin < password.txt",
        ],
        ["Ask for a secret", "atrium settings set credentials.cloudflareR2.secretAccessKey"],
        ["Stop using Redis", "atrium settings set credentials.redis.endpoint --clear"],
      ) + settingsHelp(),
    )
    .action(
      handler<SetOptions>(cli, async (invocation, { stdin, clear }) => {
        const ways = { isFromInput: stdin === true, isCleared: clear === true };
        const inputs = await readSettings(invocation.terminal, invocation.args, ways);
        const { before, answer } = await withClient(invocation, async (client) =>
          invocation.isPlan
            ? planned(client, inputs)
            : { before: await readBefore(client, inputs), answer: await save(client, inputs) },
        );
        invocation.output.result(answer, (saved) =>
          [...new Set(inputs.flatMap((input) => saidOf(input, { before, saved })))].join("\n"),
        );
      }),
    );
};

/** All parts are planned before the command ends with what they would do. */
const planned = async (client: Client, inputs: readonly SettingInput[]): Promise<never> => {
  const steps = [];
  for (const { section } of settingsParts) {
    const own = inputs.filter(({ path }) => path.startsWith(`${section.name}.`));
    steps.push(...(await stepsOf(() => save(client, own))));
  }
  throw new Planned(...steps);
};

/** What holds before, for the words of the result alone: who may not read it, or cannot, is told of a change. */
const readBefore = async (client: Client, inputs: readonly SettingInput[]): Promise<object> => {
  const isNamed = ({ section }: SettingsPart) =>
    inputs.some(({ path }) => path.startsWith(`${section.name}.`));
  try {
    return await readParts(client, settingsParts.filter(isNamed));
  } catch {
    return {};
  }
};

const save = (client: Client, inputs: readonly SettingInput[]): Promise<Record<string, unknown>> => {
  const changes = settingsParts.flatMap((part) => {
    const body = changeOf(inputs, part.section.name);
    return body === null ? [] : [{ ...part, body }];
  });
  return answersOf(changes, ({ section, change, body }) =>
    asTyped(client.operate(change, body), (path) => `${section.name}.${path}`),
  );
};

/** What was asked for; complaints about fields name each as it was typed, by `wordFor` its path. */
export const asTyped = <Answer>(asked: Promise<Answer>, wordFor: (path: string) => string): Promise<Answer> =>
  asked.catch((error: unknown) => {
    if (!(error instanceof CliFailure)) throw error;
    const { kind, message, errors, ...details } = error;
    const named = errors.map(({ path, message }) => ({ path: path === "" ? path : wordFor(path), message }));
    throw new CliFailure(kind, message, { ...details, cause: error.cause, errors: named });
  });

/** What the server says of these parts, by their names. */
export const readParts = (client: Client, parts = settingsParts): Promise<Record<string, unknown>> =>
  answersOf(parts, ({ read }) => client.operate(read, {}));

const answersOf = async <Part extends SettingsPart>(
  parts: readonly Part[],
  ask: (part: Part) => Promise<object>,
): Promise<Record<string, unknown>> => {
  const told: Record<string, unknown> = {};
  for (const part of parts) told[part.section.name] = Reflect.get(await ask(part), "data");
  return told;
};

/** The values below one part as the API takes them; `null` when there are none. */
const changeOf = (inputs: readonly SettingInput[], part: string): object | null => {
  const own = inputs.filter(({ path }) => path.startsWith(`${part}.`));
  const values = own.map(({ path, value }) => [path.slice(part.length + 1), value] as const);
  return values.length === 0 ? null : nested(values);
};

/** What became of an input, in the server's words: what was entered may hold a password, which it keeps apart. */
const saidOf = (
  { path, value }: SettingInput,
  { before, saved }: { before: object; saved: object },
): string[] => {
  if (value === null || wordOf(value) === "") return [`${path} was removed`];
  if (settingPaths[path].kind === "secret" || wordOf(value).includes("\n")) return [`${path} was saved`];
  const [held, kept] = [before, saved].map((settings) => valueAt(settings, path));
  const shown = printable(wordOf(kept));
  if (hasPassword(String(value)))
    return [`${path} is now ${shown}`, `${path.replace(/\w+$/, "password")} was saved`];
  return [wordOf(held) === wordOf(kept) ? `${path} is already ${shown}` : `${path} is now ${shown}`];
};

/** A setting with its new value; `null` removes a secret. */
type SettingInput = { path: DeclaredPath; value: SettingValue };

/** Where values come from besides the words: standard input, or nowhere because the settings are to be cleared. */
type InputWays = { isFromInput: boolean; isCleared: boolean };

/**
 * The settings that the words name, in pairs of path and value. Secrets have no value among the words: they are asked
 * for, or read from standard input, a line each when there are several. Throws `USAGE` for words that do not fit.
 */
const readSettings = async (
  terminal: Terminal,
  words: readonly string[],
  ways: InputWays,
): Promise<SettingInput[]> => {
  const named = pairUp(words, ways);
  const twice = named.find(({ path }, at) => named.findIndex((other) => other.path === path) !== at);
  if (twice !== undefined) throw usage(`${twice.path} was given twice`);
  const missing = named.filter(({ text }) => text === null);
  if (ways.isCleared) return named.map(({ path }) => ({ path, value: emptied(path) }));
  const isOne = missing.length === 1 && missing.every(({ path }) => hasLines(settingPaths[path]));
  const texts = ways.isFromInput ? await inputLines(terminal, missing.length, isOne) : [];
  const inputs: SettingInput[] = [];
  for (const { path, text } of named)
    inputs.push(typed(path, text ?? texts.shift() ?? (await askFor(terminal, path))));
  return inputs;
};

type Named = { path: DeclaredPath; text: string | null };

const pairUp = (words: readonly string[], { isFromInput, isCleared }: InputWays): Named[] => {
  const named: Named[] = [];
  for (let at = 0; at < words.length; ) {
    const path = settingPath(words[at] ?? "");
    const { kind } = settingPaths[path];
    const next = words[at + 1];
    // A secret's value is asked for; whatever follows it is another path or a mistake.
    const isAlone =
      kind === "secret" || isCleared || (isFromInput && (next === undefined || isPathLike(next)));
    if (isAlone && next !== undefined && !isPathLike(next))
      throw isCleared ? surplus() : secretArgument(path);
    if (!isAlone && next === undefined)
      throw usage(
        `the value for ${path} is missing; give it after the path, or on standard input with --stdin`,
      );
    if (!isAlone && kind === "endpoint" && hasPassword(next ?? "")) throw secretArgument(path);
    named.push({ path, text: isAlone ? null : (next ?? "") });
    at += isAlone ? 1 : 2;
  }
  if (named.length === 0) throw usage("a path is missing; see: atrium settings set --help");
  return named;
};

const isPathLike = (word: string): boolean => word.includes(".") && pathLike.test(word);

/** Whether an address contains a password, even if it is malformed. */
const hasPassword = (address: string): boolean => /:\/\/[^@]*:[^@]*@/.test(address);

const emptied = (path: DeclaredPath): SettingValue => {
  const setting = settingPaths[path];
  if (setting.kind === "secret") return null;
  if (setting.kind === "list") return [];
  if (mayBeEmpty(setting)) return "";
  throw usage(`${path} can't be cleared: it always has a value`);
};

const typed = (path: DeclaredPath, text: string): SettingInput => {
  const setting = settingPaths[path];
  if (setting.kind === "integer") return { path, value: integerIn(path, text, setting) };
  if (setting.kind === "duration") return { path, value: durationIn(path, text, setting) };
  if (setting.kind === "switch") return { path, value: switchIn(path, text) };
  if (setting.kind === "list") return { path, value: listIn(text, setting) };
  if (setting.kind === "secret" && text === "")
    throw usage(`${path} is empty; to remove what is stored, use: atrium settings set ${path} --clear`);
  return { path, value: text };
};

const integerIn = (path: DeclaredPath, text: string, { min, max }: IntegerSetting): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`${path} must be a whole number from ${min} to ${max}`);
};

const durationIn = (path: DeclaredPath, text: string, setting: DurationSetting): number => {
  const ms = setting.options.find((option) => durationWord(option) === text);
  if (ms !== undefined) return ms;
  // Which numbers are good the server says, as of every other value.
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`${path} must be ${wordsOf(setting).join(", ")}, or one of these in milliseconds`);
};

const switchIn = (path: DeclaredPath, text: string): boolean => {
  if (["true", "on"].includes(text)) return true;
  if (["false", "off"].includes(text)) return false;
  throw usage(`${path} must be on or off`);
};

const inputLines = async (terminal: Terminal, count: number, isOne: boolean): Promise<string[]> => {
  if (count === 0) throw usage("every value is already on the command line; remove --stdin");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await terminal.readInput());
  } catch (error) {
    throw usage("standard input is not valid UTF-8", { cause: error });
  }
  if (isOne) return [text];
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (lines.length === count) return lines;
  throw usage(`standard input has ${lines.length} lines, but ${count} are needed, one for each value`);
};

const askFor = async (terminal: Terminal, path: DeclaredPath): Promise<string> => {
  if (terminal.isInputTerminal) return terminal.askSecret(aboutOf(settingPaths[path]));
  throw usage(`cannot ask for ${path} without a terminal: give it on standard input with --stdin`);
};

const surplus = (): CliFailure => usage("--clear takes only paths");

const secretArgument = (path: DeclaredPath): CliFailure =>
  usage(
    `secrets can't be arguments, which other users and the shell's history can see: leave out the value of ${path} to be asked for it, or give it on standard input with --stdin`,
  );

/** What a setting is for, with the words that it takes. */
export const aboutOf = (setting: Setting): string => {
  const { about = setting.label } = setting;
  const words = wordsOf(setting);
  switch (setting.kind) {
    case "integer":
      return `${about}, ${setting.min} to ${setting.max}`;
    case "duration":
      return `${about}: ${words.join(", ")}, or the same in milliseconds`;
    case "choice":
      return `${about}: ${eitherOf(words)}`;
    case "page":
      return `${about}: ${words.join(", ")} or the path of a page`;
    case "list":
      return setting.hasLines ? `${about}, one per line` : `${about}, separated by commas`;
    default:
      return about;
  }
};

// Those that can be shown come first in their group.
const inOrder = (settings: SettingsSection["settings"]) => {
  const place = (path: string) => settings.findIndex(([other]) => other.split(".")[0] === path.split(".")[0]);
  const isSecret = ({ kind }: Setting) => Number(kind === "secret");
  return settings.toSorted(
    ([one, first], [other, second]) => place(one) - place(other) || isSecret(first) - isSecret(second),
  );
};

/** A section, and the operations that read and change it. */
type SettingsPart = { section: SettingsSection; read: string; change: string };

/** All sections: the core's, and those of own features. */
const settingsParts: readonly SettingsPart[] = [
  ...Object.values(declaredSettings).map((section) => ({
    section,
    read: `settings.${section.name}`,
    change: `settings.set${section.name.charAt(0).toUpperCase()}${section.name.slice(1)}`,
  })),
  ...features.flatMap(({ name, settings: section }) => {
    const module = moduleOf({ name });
    return section === undefined
      ? []
      : [{ section, read: `${module}.settings`, change: `${module}.setSettings` }];
  }),
];

/** Every setting by its path. A secret is never shown, and never taken from an argument. */
export const settingPaths = Object.fromEntries(
  settingsParts.flatMap(({ section: { name, settings } }) =>
    inOrder(settings).map(([path, setting]) => [`${name}.${path}`, setting]),
  ),
  // The paths of the sections are what their types list; those of features are as good as these.
) as Readonly<Record<DeclaredPath, Setting>>;

/** Whether a text names a setting. */
export const isSettingPath = (text: string): text is DeclaredPath => Object.hasOwn(settingPaths, text);

/** What begins with the name of a section. */
const pathLike = new RegExp(
  `^(?:${settingsParts.map(({ section }) => section.name).join("|")})(?:\\.\\w{0,60})*$`,
);

/** The path that was typed. Throws, with what was likely meant, when there is no such setting. */
export const settingPath = (text: string): DeclaredPath => {
  if (isSettingPath(text)) return text;
  const last = text.split(".").at(-1)?.toLowerCase() ?? "";
  const near = Object.keys(settingPaths).filter((path) => path.toLowerCase().endsWith(`.${last}`));
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "see: atrium settings get";
  // What does not look like a path may be a secret in the wrong place, which is not to be repeated.
  const name = pathLike.test(text) ? ` "${text}"` : "";
  throw new InvalidArgumentError(`Unknown setting${name}; ${hint}`);
};

/** The settings with their kinds, for a command's help. */
const settingsHelp = (): string => {
  const width = Math.max(...Object.keys(settingPaths).map((path) => path.length));
  const lines = Object.entries(settingPaths).map(
    ([path, setting]) => `  ${path.padEnd(width)}  ${aboutOf(setting)}`,
  );
  return `\nSettings:\n${lines.join("\n")}\n`;
};
