import { Argument, type Command } from "commander";
import { type Cli, examples, surroundings } from "#cli/invocation.ts";
import { printable } from "#cli/terminal/output.ts";
import { wordsOf } from "#contract/define-settings.ts";
import { pluginNamePattern } from "#contract/plugin-names.ts";
import { type Client, openRunning, operationsOf } from "../../client/client.ts";
import { addPluginWord } from "../../plugin-words/add-plugin-word.ts";
import { findPluginWord } from "../../plugin-words/call-present-plugin.ts";
import { formatSecond } from "../../terminal/format.ts";
import { schemaless } from "../schema/command-schemas.ts";
import { aboutOf, isSettingPath, settingPaths } from "../settings/settings-set.ts";
import bash from "./atrium.bash" with { type: "text" };
import fish from "./atrium.fish" with { type: "text" };
import powershell from "./atrium.ps1" with { type: "text" };
import zsh from "./atrium.zsh" with { type: "text" };
import {
  type Candidate,
  type Candidates,
  commandsBelow,
  completeWords,
  type FindValues,
  isTypeable,
  type Place,
  readWords,
} from "./complete-words.ts";

/** `completion`: what a shell reads to complete the command line, and what that asks. */
export const addCompletionCommand = (program: Command, cli: Cli): void => {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .argument("[words...]", "used by the shell itself, after --: prints completions for the last word")
    .summary("print a completion script for a shell")
    .description(
      "Prints a script that lets the shell complete commands, options and their values, setting paths, and while a " +
        "server is running the names and commands of plugins. It asks the program each time, so it stays valid after an upgrade.",
    )
    .addHelpText(
      "after",
      examples(
        ["bash, in ~/.bashrc", 'eval "$(atrium completion bash)"'],
        ["zsh, in ~/.zshrc below compinit", "source <(atrium completion zsh)"],
        ["fish, once", "atrium completion fish > ~/.config/fish/completions/atrium.fish"],
        [
          "PowerShell, in the file that $PROFILE names",
          "atrium completion powershell | Out-String | Invoke-Expression",
        ],
        ["For all users of a Debian machine", "atrium completion bash > /etc/bash_completion.d/atrium"],
      ),
    )
    .action(async (shell: Shell, words: string[]) => {
      if (words.length === 0) {
        cli.terminal.out(shellScripts[shell]);
        return;
      }
      const asked = shell === "powershell" ? [...words.slice(0, -1), words.at(-1)?.slice(1) ?? ""] : words;
      cli.terminal.out(candidatesText(await askCompletions(program, cli, asked)));
    });
};

const candidatesText = ({ kind, words }: Candidates): string =>
  [kind, ...words.map(({ value, about }) => `${printable(value)}\t${shortened(printable(about))}`), ""].join(
    "\n",
  );

// Shells show it beside the word, where long ones wrap.
const shortened = (about: string): string => (about.length > 70 ? `${about.slice(0, 69).trimEnd()}…` : about);

/** The shells that completions are made for. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
type Shell = (typeof shells)[number];

/**
 * What a shell reads to complete `atrium`: it asks `atrium completion <shell> -- <words>`, whose first line names what may
 * stand there (`words`, `files` or `folders`) and whose others are a word, a tab and what it means.
 */
export const shellScripts: Record<Shell, string> = { bash, zsh, fish, powershell };

/**
 * What may stand for the last of `words`. What only a server knows is asked of the one that runs on the data folder, and
 * left out if it takes too long for a press of the tab key. Never throws: the shell would not show an error.
 */
const askCompletions = async (program: Command, cli: Cli, words: readonly string[]): Promise<Candidates> => {
  const soon = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([work.catch(() => otherwise), Bun.sleep(patienceMs).then(() => otherwise)]);
  try {
    const snapshots = () => meant(cli, program, words).composition.listSnapshots();
    const server = lazily(() => soon(runningServer(cli, program, words), null));
    for (const own of await cli.pluginWords()) addPluginWord(program, cli, own);
    const installed = await soon(addInstalled(program, cli, { words, server }), []);
    const found = await completeWords(program, words, async (place) =>
      soon(createFindValues({ program, server, snapshots })(place), []),
    );
    const isFirst = readWords(program, words.slice(0, -1)).path.length === 0;
    if (found.kind !== "words" || !isFirst || words.at(-1)?.startsWith("-")) return found;
    const known = found.words.map(({ value }) => value);
    const further = installed.filter(({ value }) => value.startsWith(words.at(-1) ?? ""));
    return { ...found, words: [...found.words, ...further.filter(({ value }) => !known.includes(value))] };
  } catch {
    return { kind: "words", words: [] };
  }
};

const patienceMs = 120;

type Asking = { words: readonly string[]; server: () => Promise<Client | null> };

/** Adds the commands of the installed plugin whose word stands first, or resolves to the first words that there are. */
const addInstalled = async (
  program: Command,
  cli: Cli,
  { words, server }: Asking,
): Promise<readonly Candidate[]> => {
  const { path, operands, awaiting } = readWords(program, words.slice(0, -1));
  if (path.length > 0 || awaiting !== null || words.at(-1)?.startsWith("-")) return [];
  const client = await server();
  if (client === null) return [];
  const [word] = operands;
  if (word === undefined) {
    const listed = (await operationsOf(client).plugins.list()).data;
    return listed.flatMap((plugin) =>
      "commandWord" in plugin &&
      plugin.enabled &&
      plugin.commandWord !== null &&
      isTypeable(plugin.commandWord)
        ? [{ value: plugin.commandWord, about: plugin.title }]
        : [],
    );
  }
  const found = pluginNamePattern.test(word) ? await findPluginWord(client, word) : null;
  if (found !== null) addPluginWord(program, cli, found);
  return [];
};

/** The server on the data folder that the words name. One elsewhere is not asked: its token may have to be typed. */
const runningServer = async (
  cli: Cli,
  program: Command,
  words: readonly string[],
): Promise<Client | null> => {
  const { given, composition, terminal } = meant(cli, program, words);
  if (given.has("--url") || terminal.env.ATRIUM_URL) return null;
  return openRunning(composition, null);
};

/** The options that the words hold, and the installation that they mean. */
const meant = (cli: Cli, program: Command, words: readonly string[]) => {
  const { given } = readWords(program, words.slice(0, -1));
  const dataDir = given.get("--data-dir");
  return { given, ...surroundings(cli, dataDir === undefined ? {} : { dataDir }) };
};

const lazily = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

/**
 * Where values come from: the commands themselves, the server that runs, or `null`, and the names of the data folder's
 * snapshots.
 */
type ValueSources = {
  program: Command;
  server: () => Promise<Client | null>;
  snapshots: () => Promise<readonly { name: string; madeAt: string }[]>;
};

/** Finds what the commands' declarations don't list. */
const createFindValues =
  ({ program, server, snapshots }: ValueSources): FindValues =>
  async ({ command, takes, operands }: Place) => {
    if (command === "api" && takes === 1) return callPaths(await server(), operands);
    if (command === "schema" && typeof takes === "number") return commandNames(program, operands);
    if (command === "settings get" && takes === 0) return settingNames;
    if (command === "settings set") return settingWords(operands);
    if (command === "snapshot restore" && takes === 0)
      return (await snapshots()).map(({ name, madeAt }) => ({ value: name, about: formatSecond(madeAt) }));
    if (takes === 0 && backupCommands.has(command)) return backupNames(await server());
    if (takes === 0 && tokenCommands.has(command)) return tokenNames(await server());
    if (takes === 0 && pluginCommands.has(command)) return pluginNames(await server());
    if (takes === 1 && command === "plugin discard") return versionsOf(await server(), operands);
    return null;
  };

const backupCommands: ReadonlySet<string> = new Set(["backup download", "backup remove"]);

const pluginCommands: ReadonlySet<string> = new Set(
  [
    "info",
    "enable",
    "disable",
    "remove",
    "update",
    "rollback",
    "discard",
    "download",
    "logs",
    "delete-retained",
  ]
    .map((name) => `plugin ${name}`)
    .concat("plugin settings get", "plugin settings set"),
);

const tokenCommands: ReadonlySet<string> = new Set(
  ["show", "update", "revoke", "remove"].map((name) => `token ${name}`),
);

const settingNames: readonly Candidate[] = Object.entries(settingPaths).map(([value, setting]) => ({
  value,
  about: aboutOf(setting),
}));

// A path is followed by its value, but for secrets: those are never typed here.
const settingWords = (operands: readonly string[]): readonly Candidate[] => {
  const path = operands.reduce<string | null>(
    (open, word) => (open === null && takesValue(word) ? word : null),
    null,
  );
  if (path === null || !isSettingPath(path)) return settingNames;
  return plain(wordsOf(settingPaths[path]));
};

const takesValue = (path: string): boolean => isSettingPath(path) && settingPaths[path].kind !== "secret";

/** The words that continue a command's name; commands that print no JSON have no schema. */
const commandNames = (program: Command, words: readonly string[]): readonly Candidate[] => {
  const { command, operands } = readWords(program, words);
  if (operands.length > 0) return [];
  return commandsBelow(command).filter(({ value }) => !schemaless.includes([...words, value].join(" ")));
};

const pluginNames = async (client: Client | null): Promise<readonly Candidate[]> => {
  if (client === null) return [];
  const listed = (await operationsOf(client).plugins.list()).data;
  return listed.map((plugin) => ({ value: plugin.name, about: "title" in plugin ? plugin.title : "" }));
};

/** The versions that may go: those that are not in force. */
const versionsOf = async (
  client: Client | null,
  [name = ""]: readonly string[],
): Promise<readonly Candidate[]> => {
  if (client === null) return [];
  const { versions } = (await operationsOf(client).plugins.get({ name })).data;
  return versions
    .filter(({ isCurrent }) => !isCurrent)
    .map(({ version, uploadedAt }) => ({ value: version, about: formatSecond(uploadedAt) }));
};

/** The paths of the calls with a method; where something has to be put into one, as far as there. */
const callPaths = async (
  client: Client | null,
  [method = ""]: readonly string[],
): Promise<readonly Candidate[]> => {
  const paths = client === null ? {} : (await client.describe()).paths;
  const about = new Map<string, string>();
  for (const [path, item] of Object.entries(Object(paths))) {
    const operation: unknown = Object(item)[method.toLowerCase()];
    if (operation === undefined || !path.startsWith("/api/")) continue;
    const [begin = "", ...rest] = path.split("{");
    const isWhole = rest.length === 0;
    if (isWhole || !about.has(begin))
      about.set(begin, isWhole ? String(Object(operation).summary ?? "") : "");
  }
  return [...about].map(([value, words]) => ({ value, about: words }));
};

const backupNames = async (client: Client | null): Promise<readonly Candidate[]> => {
  if (client === null) return [];
  const { backups } = (await operationsOf(client).backups.list()).data;
  return backups.map(({ name, place }) => ({ value: name, about: place }));
};

const tokenNames = async (client: Client | null): Promise<readonly Candidate[]> => {
  if (client === null) return [];
  const { tokens } = (await operationsOf(client).tokens.list()).data;
  // A name that several have would choose none of them; case does not tell them apart.
  const isShared = (name: string) =>
    tokens.filter((token) => token.name.toLowerCase() === name.toLowerCase()).length > 1;
  return tokens.map(({ id, name, hint, state }) =>
    isShared(name) || !isTypeable(name)
      ? { value: id, about: `${name} …${hint}, ${state}` }
      : { value: name, about: `…${hint}, ${state}` },
  );
};

const plain = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, about: "" }));
