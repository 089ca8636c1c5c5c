import type { Command } from "commander";
import { commandGroups, type NamedOperation, operations, ownGroups } from "#api/operations.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { activityViews } from "#cli/commands/activity/activity-views.ts";
import { backupViews } from "#cli/commands/backup/backup-views.ts";
import { contactViews } from "#cli/commands/contact/contact-views.ts";
import { mailViews } from "#cli/commands/mail/mail-views.ts";
import { providerViews } from "#cli/commands/provider/provider-views.ts";
import { secretsViews } from "#cli/commands/secrets/secrets-views.ts";
import { settingsViews } from "#cli/commands/settings/settings-views.ts";
import { snapshotViews } from "#cli/commands/snapshot/snapshot-views.ts";
import { findToken, tokenViews } from "#cli/commands/token/token-views.ts";
import { userViews } from "#cli/commands/user/user-views.ts";
import { CliFailure, isWithoutInstallation, usage } from "#cli/failure.ts";
import {
  type Cli,
  type GlobalOptions,
  handler,
  type Invocation,
  localHandler,
  withClient,
} from "#cli/invocation.ts";
import { Planned } from "#cli/planned.ts";
import { outputText } from "#cli/terminal/declared-output.ts";
import { formatBytes } from "#cli/terminal/format.ts";
import { jsonLine, printable } from "#cli/terminal/output.ts";
import { createProgress, duringStep, showingBytes } from "#cli/terminal/progress.ts";
import { printBytes, saveFile } from "#cli/terminal/save-file.ts";
import { untilEnded } from "#cli/terminal/stop-signal.ts";
import { emailKey } from "#contract/account-rules.ts";
import { userTexts } from "#contract/auth-texts.ts";
import {
  type CommandGroup,
  type Lookup,
  type Operation,
  type OperationCommand,
  type OperationOption,
  outOption,
} from "#contract/operation.ts";
import { outputOf } from "#contract/plugin-commands.ts";
import { findKey, pluginKeyViews, pluginViews } from "../commands/plugin/plugin-views.ts";
import {
  addExamples,
  type DeclaredCommand,
  declareCommand,
  type GivenOptions,
  type Question,
  type Readers,
  typedInput,
  type View,
} from "./declared-command.ts";

/** How commands show what operations answer, where a contract can't say it. */
const views: { readonly [words: string]: AnyView } = {
  ...activityViews,
  ...backupViews,
  ...contactViews,
  ...mailViews,
  ...pluginKeyViews,
  ...pluginViews,
  ...providerViews,
  ...secretsViews,
  ...settingsViews,
  ...snapshotViews,
  ...tokenViews,
  ...userViews,
};

type AnyView = View<never, never, never>;

type Group = keyof typeof commandGroups;

/** Adds the word that commands are under. */
export const addGroup = (program: Command, name: Group): Command => addWord(program, commandGroups[name]);

const addWord = (program: Command, { word, summary, description }: CommandGroup): Command =>
  program.command(word).summary(summary).description(description);

/** Adds the commands of own features. */
export const addOwnFeatures = (program: Command, cli: Cli): void => {
  for (const [module, words] of Object.entries(ownGroups))
    addAll(addWord(program, words), cli, { module, words });
};

/** Commands that no operation declares, by the name of the one that each comes behind. */
type Others = { readonly [name: string]: (group: Command, cli: Cli) => void };

/** Adds the commands that are in a group to the word that they are under. */
export const addOperations = (group: Command, cli: Cli, name: Group, behind: Others = {}): void =>
  addAll(group, cli, { module: name, words: commandGroups[name], behind });

type Added = { module: string; words: CommandGroup; behind?: Others };

const addAll = (group: Command, cli: Cli, { module, words, behind = {} }: Added): void => {
  for (const named of operations)
    for (const command of named.operation.commands ?? [])
      if ((command.group ?? named.module) === module) {
        addOperation(parentOf(group, words, command), cli, { ...named, command });
        behind[command.name]?.(group, cli);
      }
};

/** The word below a group that a name of two words is under. */
const parentOf = (group: Command, { groups = {} }: CommandGroup, { name }: OperationCommand): Command => {
  const [word = "", isBelow] = name.split(" ");
  if (isBelow === undefined) return group;
  const { summary = "", description = "" } = groups[word] ?? {};
  const there = group.commands.find((each) => each.name() === word);
  return there ?? group.command(word).summary(summary).description(description);
};

type Declared = NamedOperation & { command: OperationCommand };

const addOperation = (parent: Command, cli: Cli, declared: Declared): void => {
  const { command, operation } = declared;
  const words = wordsOf(parent, command);
  const view: AnyView = views[words] ?? {};
  const added = declareCommand(parent, completed(declared), view.read);
  if (command.lines) added.option("--ndjson", command.lines.summary);
  addExamples(added, command.examples);
  const handled = operation.access === "operator" ? localHandler : handler;
  added.action(
    handled<GivenOptions & GlobalOptions>(cli, async (invocation, options) => {
      const typed = typedWords(command, invocation.args, view.read);
      const known = { ...typed, ...typedInput(command.options ?? [], options), ...command.fixed };
      // A view is written for the options that its command has, and for what its operation takes.
      if ("run" in view) return view.run(invocation, options as never, known as never);
      const own = await view.input?.(invocation, options as never);
      const input = own === undefined ? known : { ...typed, ...own, ...command.fixed };
      return operation.responds === "file"
        ? writeFile(invocation, declared, { input, out: options.out })
        : runOperation(invocation, declared, { input, view, options });
    }),
  );
};

const wordsOf = (parent: Command, { name }: OperationCommand): string => {
  const own = name.split(" ");
  const group = own.length > 1 ? (parent.parent?.name() ?? "") : parent.name();
  return `${group} ${name}`;
};

const completed = ({ command, operation }: Declared): DeclaredCommand => ({
  name: command.name.split(" ").at(-1) ?? "",
  summary: command.summary,
  description: [command.description ?? command.summary],
  arguments: command.arguments ?? [],
  options: optionsOf(command, operation),
  changes: operation.changes !== undefined,
  examples: command.examples,
});

const optionsOf = (
  { options = [] }: OperationCommand,
  { responds }: Operation,
): readonly OperationOption[] =>
  responds !== "file" || options.some(({ name }) => name === outOption.name)
    ? options
    : [...options, outOption];

type Input = Record<string, unknown>;

const typedWords = (
  { arguments: words = [] }: OperationCommand,
  args: readonly string[],
  read: Readers = {},
): Input =>
  Object.fromEntries(
    words.map(({ name, field = name }, at) => {
      const word = (args[at] ?? "").trim();
      return [field, read[name] === undefined ? word : read[name](word)];
    }),
  );

type Run = { input: Input; view: Exclude<AnyView, { run: unknown }>; options: GivenOptions };

const runOperation = async (
  invocation: Invocation,
  declared: Declared,
  { input, view, options }: Run,
): Promise<void> => {
  const { lines, message = "", output } = declared.command;
  const isLines = options.ndjson === true;
  if (isLines && options.json === true)
    throw usage("--json is the whole answer and --ndjson its lines; leave one out");
  const { data, isServer } = await answerOf(invocation, declared, { input, view });
  invocation.output.result(data, (_, style) => {
    if (isLines && lines !== undefined) return linesOf(fieldOf(data, lines.rows));
    // A view is written for what its operation answers.
    if (output !== undefined) return outputText(outputOf(output), { data, whole: data }, style);
    return view.text?.(data as never, style, { isServer }) ?? filledIn(message, data, input);
  });
  const { counted, notes } = view;
  const { isErrorTerminal, isOutputTerminal } = invocation.terminal;
  // That there are none was the result already.
  const isSaid = view.isNone?.(data as never) === true && isOutputTerminal && !isLines;
  if (counted !== undefined && isErrorTerminal && !isSaid)
    invocation.output.note(counted(data as never, input as never));
  else for (const note of notes?.(data as never, input as never) ?? []) invocation.output.note(note);
};

/** Looks up what was typed, asks before, and calls the operation. */
const answerOf = (
  invocation: Invocation,
  declared: Declared,
  { input, view }: Omit<Run, "options">,
): Promise<{ data: unknown; isServer: boolean }> => {
  const { id, command, operation } = declared;
  const { begins, step, prints } = command;
  const work = async (client: Client) => {
    const { meant, found } = await lookedUp(client, command, input);
    await askBefore(invocation, client, { declared, view, meant, known: { ...input, ...found } });
    const answer = await (step === undefined
      ? client.operate(id, meant)
      : takeStep(invocation, client, { id, input: meant, step: filledIn(step, input) }));
    const data = dataOf(answer);
    return { data: prints === undefined ? data : fieldOf(data, prints), isServer: client.isServer };
  };
  if (begins === undefined) return withClient(invocation, work);
  return withClient(invocation, work, { mayMake: true }).catch((error) => {
    throw isWithoutInstallation(error)
      ? new Planned({ words: filledIn(begins, input), call: operation.endpoint })
      : error;
  });
};

type Step = { id: string; input: Input; step: string };

/** Sends a request that may take minutes. A server continues it when the command is interrupted. */
const takeStep = (
  { terminal, output }: Invocation,
  client: Client,
  { id, input, step }: Step,
): Promise<object> =>
  terminal.interruptible((ended) => {
    const working = client.operate(id, input);
    return duringStep(createProgress(terminal), step, () => untilEnded(working, ended)).catch((error) => {
      // One in this process ends with it.
      working.catch(() => {});
      if (ended.aborted && client.isServer) output.note(`the server continues ${step}`);
      throw error;
    });
  });

type Asking = { declared: Declared; view: Run["view"]; meant: Input; known: Input };

const askBefore = async (
  invocation: Invocation,
  client: Client,
  { declared: { module, command }, view, meant, known }: Asking,
): Promise<void> => {
  const { reads, question = "" } = command.asks ?? {};
  const textOf = (asked: Question | undefined, about: unknown) =>
    typeof asked === "function" ? asked(client) : (asked ?? filledIn(question, about));
  if (reads !== undefined)
    return invocation.confirm(async () => {
      const read = dataOf(await client.operate(`${module}.${reads}`, meant));
      return textOf(view.question?.(read as never, meant as never), read);
    });
  const asked = view.question?.(known as never, meant as never);
  if (asked === null || (asked === undefined && command.asks === undefined)) return;
  await invocation.confirm(async () => textOf(asked, known));
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

/** A text with the fields of `data`, and of the input, in their places. */
const filledIn = (text: string, data: unknown, input?: Input): string =>
  printable(
    text.replace(/\{(\w+)\}|<(\w+)>/g, (_, name: string | undefined, typed: string) =>
      String(name === undefined ? fieldOf(input, typed) : fieldOf(data, name)),
    ),
  );

const writeFile = async (
  invocation: Invocation,
  { id, command: { message = "Wrote {size} to {file}" } }: Declared,
  { input, out }: { input: object; out: unknown },
): Promise<void> => {
  const { terminal, output } = invocation;
  const file = typeof out === "string" ? out : null;
  const progress = createProgress(terminal, { isBesideResults: file === null });
  await terminal.interruptible((ended) =>
    withClient(invocation, async (client) => {
      const bytes = showingBytes(progress, await client.receive(id, input, ended));
      if (file === null) return printBytes(terminal, bytes).finally(progress.end);
      const written = { file, sizeBytes: await saveFile(file, bytes).finally(progress.end) };
      output.result(written, ({ sizeBytes }) => filledIn(message, { file, size: formatBytes(sizeBytes) }));
    }),
  );
};

/**
 * Finds what was typed: `id` is how the API's paths name it, the rest is what is known of it. Throws `NOT_FOUND` where it had to
 * be looked up and is not there, and `CONFLICT` where it names several.
 */
const lookups: { readonly [L in Lookup]: (client: Client, typed: string) => Promise<{ id: string }> } = {
  account: async (client, typed) => {
    if (plain.test(typed)) return { id: typed };
    const { users } = (await operationsOf(client).users.list({ search: typed, limit: 100 })).data;
    return withAddress(users, typed) ?? missing(userTexts.unknown);
  },
  registration: async (client, typed) => {
    if (plain.test(typed)) return { id: typed };
    const { users } = (await operationsOf(client).users.pending({ search: typed, limit: 100 })).data;
    const { id, registrations } = withAddress(users, typed) ?? missing(userTexts.registrationUnknown);
    // The API chooses none of them either.
    if (registrations > 1) throw new CliFailure("CONFLICT", userTexts.severalRegistrations);
    return { id };
  },
  token: (client, typed) => findToken(client, typed, "live"),
  // Of one that is not known, or not alone, the API says so.
  key: async (client, typed) => {
    const found = await findKey(client, typed);
    return { label: typed, tier: null, ...found, id: found?.keyId ?? typed };
  },
};

// What a path of the API takes as it is; an address with any other character is looked up first.
const plain = /^[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*$/;

const withAddress = <Row extends { email: string }>(rows: Row[], address: string): Row | undefined =>
  rows.find(({ email }) => emailKey(email) === emailKey(address));

const missing = (text: string): never => {
  throw new CliFailure("NOT_FOUND", text);
};
