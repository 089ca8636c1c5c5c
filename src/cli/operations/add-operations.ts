import type { Command } from "commander";
import { commandGroups, type NamedOperation, operations } from "#api/operations.ts";
import type { Client } from "#cli/client.ts";
import {
  addExamples,
  type DeclaredCommand,
  declareCommand,
  type GivenOptions,
  typedValue,
} from "#cli/declared-command.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { jsonLine, printable } from "#cli/output.ts";
import { Planned } from "#cli/plan/planned.ts";
import { printBytes } from "#cli/print-bytes.ts";
import { createProgress, showingBytes } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";
import { isWithoutInstallation } from "#cli/to-failure.ts";
import type { OperationCommand } from "#contract/operation-commands.ts";
import { contactViews } from "./contact-views.ts";
import { lookups } from "./lookups.ts";
import { mailViews } from "./mail-views.ts";
import { tokenViews } from "./token-views.ts";
import { userViews } from "./user-views.ts";
import type { View } from "./view.ts";

/** How commands show what operations answer, where a contract can't say it. */
const views: { readonly [words: string]: AnyView } = {
  ...contactViews,
  ...mailViews,
  ...tokenViews,
  ...userViews,
};

type AnyView = View<never, never, never>;

type Group = keyof typeof commandGroups;

/** Adds the word that commands are under. */
export const addGroup = (program: Command, name: Group): Command => {
  const { word, summary, description } = commandGroups[name];
  return program.command(word).summary(summary).description(description);
};

/** Adds the commands that are in a group to the word that they are under. */
export const addOperations = (group: Command, cli: Cli, name: Group): void => {
  for (const named of operations)
    for (const command of named.operation.commands ?? [])
      if ((command.group ?? named.module) === name) addOperation(group, cli, { ...named, command });
};

type Declared = NamedOperation & { command: OperationCommand };

const addOperation = (group: Command, cli: Cli, declared: Declared): void => {
  const { command, operation } = declared;
  const added = declareCommand(group, completed(declared));
  if (operation.responds === "file")
    added.option("--out <file>", "write to this file instead of standard output, whole or not at all");
  if (command.lines) added.option("--ndjson", command.lines.summary);
  addExamples(added, command.examples);
  const view: AnyView = views[`${group.name()} ${command.name}`] ?? {};
  for (const option of added.options) view.parsers?.[option.name()]?.(option);
  added.action(
    handler<GivenOptions>(cli, async (invocation, options) => {
      // A view is written for the options that its command has.
      if ("run" in view) return view.run(invocation, options as never);
      const own = await view.input?.(invocation, options as never);
      const input = {
        ...argumentsOf(command, invocation.args),
        ...(own ?? optionsOf(command, options)),
        ...command.fixed,
      };
      return operation.responds === "file"
        ? writeFile(invocation, declared, { input, out: options.out })
        : runOperation(invocation, declared, { input, view, options });
    }),
  );
};

const completed = ({ command, operation }: Declared): DeclaredCommand => ({
  name: command.name,
  summary: command.summary,
  description: [command.description ?? command.summary],
  arguments: command.arguments ?? [],
  options: command.options ?? [],
  changes: operation.changes === true,
  examples: command.examples,
});

type Input = Record<string, unknown>;

const argumentsOf = ({ arguments: words = [] }: OperationCommand, args: readonly string[]): Input =>
  Object.fromEntries(words.map(({ name, field = name }, at) => [field, (args[at] ?? "").trim()]));

const optionsOf = ({ options: declared = [] }: OperationCommand, options: GivenOptions): Input =>
  Object.fromEntries(declared.map(({ name }) => [name, typedValue(options, name)]));

type Run = { input: Input; view: Exclude<AnyView, { run: unknown }>; options: GivenOptions };

const runOperation = async (
  invocation: Invocation,
  declared: Declared,
  { input, view, options }: Run,
): Promise<void> => {
  const { lines, message = "" } = declared.command;
  const isLines = options.ndjson === true;
  if (isLines && options.json === true)
    throw new CliFailure("USAGE", "--json is the whole answer and --ndjson its lines; leave one out");
  const { data, isServer } = await answerOf(invocation, declared, { input, view });
  invocation.output.result(data, (_, style) => {
    if (isLines && lines !== undefined) return linesOf(fieldOf(data, lines.rows));
    // A view is written for what its operation answers.
    return view.text?.(data as never, style, { isServer }) ?? filledIn(message, data);
  });
  if (view.counted === undefined) return;
  const { isErrorTerminal, isOutputTerminal } = invocation.terminal;
  // That there are none was the result already.
  const isSaid = view.isNone?.(data as never) === true && isOutputTerminal && !isLines;
  if (isErrorTerminal && !isSaid) invocation.output.note(view.counted(data as never));
};

/** Looks up what was typed, asks before, and calls the operation. */
const answerOf = (
  invocation: Invocation,
  { id, module, command, operation }: Declared,
  { input, view }: Omit<Run, "options">,
): Promise<{ data: unknown; isServer: boolean }> => {
  const { asks, begins } = command;
  const work = async (client: Client) => {
    const { meant, found } = await lookedUp(client, command, input);
    if (asks !== undefined)
      await invocation.confirm(async () => {
        const { reads, question = "" } = asks;
        const asked =
          reads === undefined
            ? { ...input, ...found }
            : dataOf(await client.operate(`${module}.${reads}`, meant));
        return view.question?.(asked as never) ?? filledIn(question, asked);
      });
    return { data: dataOf(await client.operate(id, meant)), isServer: client.isServer };
  };
  if (begins === undefined) return withClient(invocation, work);
  return withClient(invocation, work, { mayMake: true }).catch((error) => {
    throw isWithoutInstallation(error)
      ? new Planned({ words: filledIn(begins, input), call: operation.endpoint })
      : error;
  });
};

/** The input with what its words were looked up as, and what was found. */
const lookedUp = async (client: Client, { arguments: words = [] }: OperationCommand, input: Input) => {
  const meant: Input = { ...input };
  let found: object = {};
  for (const { name, field = name, finds } of words) {
    if (finds === undefined) continue;
    found = await lookups[finds](client, String(input[field]));
    meant[field] = fieldOf(found, "id");
  }
  return { meant, found };
};

/** What is shown of an answer: its data, or the whole of one without. */
const dataOf = (answer: object): unknown => ("data" in answer ? answer.data : answer);

const fieldOf = (data: unknown, name: string): unknown => Reflect.get(Object(data), name);

const linesOf = (rows: unknown): string => (Array.isArray(rows) ? rows.map(jsonLine).join("\n") : "");

/** A text with the fields of `data` in their places. */
const filledIn = (text: string, data: unknown): string =>
  printable(text.replace(/\{(\w+)\}/g, (_, name: string) => String(fieldOf(data, name))));

const writeFile = async (
  invocation: Invocation,
  { id }: Declared,
  { input, out }: { input: Input; out: unknown },
): Promise<void> => {
  const { terminal, output } = invocation;
  const file = typeof out === "string" ? out : null;
  const progress = createProgress(terminal, { isBesideResults: file === null });
  await terminal.interruptible((ended) =>
    withClient(invocation, async (client) => {
      const bytes = showingBytes(progress, await client.receive(id, input, ended));
      if (file === null) return printBytes(terminal, bytes).finally(progress.end);
      const written = { file, sizeBytes: await saveFile(file, bytes).finally(progress.end) };
      output.result(written, ({ sizeBytes }) => `Wrote ${formatBytes(sizeBytes)} to ${file}`);
    }),
  );
};
