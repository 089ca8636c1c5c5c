import type { Command } from "commander";
import { type Client, openRunning } from "#cli/client.ts";
import { type Cli, surroundings } from "#cli/invocation.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { addPluginWord } from "#cli/plugin-words/add-plugin-word.ts";
import { findPluginWord } from "#cli/plugin-words/find-plugin-word.ts";
import { pluginNamePattern } from "#contract/plugin-names.ts";
import { type Candidate, type Candidates, completeWords } from "./complete-words.ts";
import { createFindValues } from "./find-values.ts";
import { isTypeable } from "./is-typeable.ts";
import { readWords } from "./read-words.ts";

/**
 * What may stand for the last of `words`. What only a server knows is asked of the one that runs on the data folder, and
 * left out when it takes longer than a person waits for a tab. Never throws: nobody sees what is written there.
 */
export const askCompletions = async (
  program: Command,
  cli: Cli,
  words: readonly string[],
): Promise<Candidates> => {
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
