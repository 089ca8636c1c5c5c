import type { Command } from "commander";
import { commandGroups, type NamedOperation, operations } from "#api/operations.ts";
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
import { printBytes } from "#cli/print-bytes.ts";
import { createProgress, showingBytes } from "#cli/progress.ts";
import { saveFile } from "#cli/save-file.ts";
import type { OperationCommand } from "#contract/operation-commands.ts";
import { contactViews } from "./contact-views.ts";
import { mailViews } from "./mail-views.ts";
import type { View } from "./view.ts";

/** How commands show what operations answer, where a contract can't say it. */
const views: { readonly [words: string]: View<never> } = { ...contactViews, ...mailViews };

/** Adds the commands of a module's operations. */
export const addOperations = (program: Command, cli: Cli, module: keyof typeof commandGroups): void => {
  const { word, summary, description } = commandGroups[module];
  const group = program.command(word).summary(summary).description(description);
  for (const named of operations)
    if (named.module === module)
      for (const command of named.operation.commands ?? []) addOperation(group, cli, { ...named, command });
};

type Declared = NamedOperation & { command: OperationCommand };

const addOperation = (group: Command, cli: Cli, declared: Declared): void => {
  const { command, operation } = declared;
  const added = declareCommand(group, completed(declared));
  if (operation.responds === "file")
    added.option("--out <file>", "write to this file instead of standard output, whole or not at all");
  if (command.lines) added.option("--ndjson", command.lines.summary);
  addExamples(added, command.examples);
  const view = views[`${group.name()} ${command.name}`];
  added.action(
    handler<GivenOptions>(cli, (invocation, options) => {
      if (view !== undefined && "run" in view) return view.run(invocation, options);
      const input = inputOf(command, invocation.args, options);
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

const inputOf = (command: OperationCommand, args: readonly string[], options: GivenOptions): Input => ({
  ...Object.fromEntries((command.arguments ?? []).map(({ name }, at) => [name, (args[at] ?? "").trim()])),
  ...Object.fromEntries((command.options ?? []).map(({ name }) => [name, typedValue(options, name)])),
  ...command.fixed,
});

type Run = { input: Input; view: Exclude<View<never>, { run: unknown }> | undefined; options: GivenOptions };

const runOperation = async (
  invocation: Invocation,
  { id, module, command }: Declared,
  { input, view, options }: Run,
): Promise<void> => {
  const { asks, lines, message = "" } = command;
  const isLines = options.ndjson === true;
  if (isLines && options.json === true)
    throw new CliFailure("USAGE", "--json is the whole answer and --ndjson its lines; leave one out");
  const data = await withClient(invocation, async (client) => {
    if (asks !== undefined)
      await invocation.confirm(async () =>
        filledIn(asks.question, dataOf(await client.operate(`${module}.${asks.reads}`, input))),
      );
    return dataOf(await client.operate(id, input));
  });
  invocation.output.result(data, (_, style) => {
    if (isLines && lines !== undefined) return linesOf(fieldOf(data, lines.rows));
    // A view is written for what its operation answers.
    return view === undefined ? filledIn(message, data) : view.text(data as never, style);
  });
  if (view?.counted === undefined) return;
  const { isErrorTerminal, isOutputTerminal } = invocation.terminal;
  // That there are none was the result already.
  const isSaid = view.isNone?.(data as never) === true && isOutputTerminal && !isLines;
  if (isErrorTerminal && !isSaid) invocation.output.note(view.counted(data as never));
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
