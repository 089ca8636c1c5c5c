import type { Command } from "commander";
import { type Client, openClient } from "#cli/client/client.ts";
import { type CliFailure, toFailure } from "#cli/failure.ts";
import { type Cli, type GlobalOptions, readRemote, surroundings } from "#cli/invocation.ts";
import { pluginNamePattern } from "#contract/plugin-names.ts";
import { addPluginWord } from "./add-plugin-word.ts";
import { findPluginWord } from "./call-present-plugin.ts";

/** The result of looking up a word: `reason` says why that was not possible. */
export type AskedWord = { reason: string | null; close(): Promise<void> };

/**
 * Adds the commands of plugins, where the first word of a command line is none of the product's own: those of plugins that
 * are part of the product, and for a word that they do not know either those of the installed plugin that has it. Resolves
 * to `null` where no lookup was needed; the caller closes anything else. Throws `PLUGIN_UNAVAILABLE` when that
 * plugin is off.
 */
export const addPluginWords = async (
  program: Command,
  cli: Cli,
  argv: readonly string[],
): Promise<AskedWord | null> => {
  const word = program.parseOptions([...argv]).operands[0];
  const isKnown = () => program.commands.some((command) => command.name() === word);
  if (isKnown()) return null;
  for (const own of await cli.pluginWords()) addPluginWord(program, cli, own);
  if (word === undefined || word === "help" || isKnown() || !pluginNamePattern.test(word)) return null;
  const options = program.opts<GlobalOptions>();
  const { terminal, composition } = surroundings(cli, options);
  const remote = await readRemote(options, terminal);
  let client: Client | null = null;
  try {
    client = await openClient(composition, remote, false);
    const found = await findPluginWord(client, word);
    if (found !== null) addPluginWord(program, cli, found);
    return { reason: null, close: client.close };
  } catch (error) {
    await client?.close();
    const failure = toFailure(error);
    if (failure.kind === "NO_INSTALLATION") return null;
    if (ownFailures.includes(failure.kind)) throw failure;
    return { reason: failure.message, close: async () => {} };
  }
};

// What is said of the plugin itself, and not of who was asked.
const ownFailures: readonly CliFailure["kind"][] = ["PLUGIN_UNAVAILABLE", "CONFLICT"];
