import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { type Client, openRunning } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, type Invocation } from "#cli/invocation.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { outputStyle } from "#cli/output.ts";
import { createDevSession, type DevSession } from "#cli/plugin-author/dev-session.ts";
import { watchFolder } from "#cli/plugin-author/watch-folder.ts";
import type { PluginLogLine } from "#contract/plugins.ts";
import { logLineText } from "./plugin-logs.ts";

/** `plugin dev`: a plugin runs while it is being written. */
export const addPluginDevCommand = (group: Command, cli: Cli): void => {
  group
    .command("dev")
    .argument("<folder>", "the plugin's folder")
    .summary("run a plugin while you write it")
    .description(
      "Builds a plugin, runs it on the server, and again at each change, while the version before goes on until the new one " +
        "has started. Shows mistakes with file and line, and the plugin's log. On the server its version ends in -dev and " +
        "a number that grows. Ctrl-C leaves the plugin there as it is.",
    )
    .addHelpText(
      "after",
      examples(
        ["Asks once whether it may do what it wants", "atrium plugin dev ./visitor-notes"],
        ["Without asking", "atrium plugin dev ./visitor-notes --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [folder = ""] = invocation.args;
        if (!(await stat(folder).catch(() => null))?.isDirectory())
          throw new CliFailure("USAGE", `there is no folder ${folder}`);
        const client = await openRunning(invocation.composition, await invocation.remote());
        if (client === null)
          throw new CliFailure(
            "UNREACHABLE",
            `no server runs on ${invocation.composition.dataDir}; start one in another terminal: atrium serve`,
          );
        const over = new AbortController();
        try {
          await invocation.terminal.interruptible((interrupted) =>
            develop(invocation, { client, folder, ended: AbortSignal.any([interrupted, over.signal]) }),
          );
        } finally {
          over.abort();
          await client.close();
        }
      }),
    );
};

type Work = { client: Client; folder: string; ended: AbortSignal };

const develop = async (invocation: Invocation, { client, folder, ended }: Work): Promise<void> => {
  const { isSource } = await invocation.composition.pluginTools();
  const session = createDevSession(invocation, { client, folder });
  const changes = watchFolder(folder, { ended, isWanted: isSource });
  const log = showLog(invocation, { client, session, ended });
  await session.deploy();
  invocation.output.note(`Watching ${folder}; Ctrl-C ends.`);
  for (;;) {
    await changes.next();
    if (ended.aborted) break;
    await session.deploy();
  }
  await log;
  invocation.output.note("The plugin was left as it is.");
};

const logEveryMs = 500;

/** Prints what comes to the plugin's log from now on. */
const showLog = async (
  invocation: Invocation,
  { client, session, ended }: Pick<Work, "client" | "ended"> & { session: DevSession },
): Promise<void> => {
  const { terminal } = invocation;
  const since = new Date().toISOString();
  let after = 0;
  while (!ended.aborted) {
    const name = session.name();
    for (const line of name === null ? [] : await newLines(client, name, after)) {
      after = line.id;
      if (line.at >= since) terminal.out(`${logLineText(line, outputStyle(terminal))}\n`);
    }
    await Bun.sleep(logEveryMs);
  }
};

const newLines = async (client: Client, name: string, after: number): Promise<PluginLogLine[]> => {
  try {
    return (await operationsOf(client).plugins.logs({ name, after })).data.lines;
  } catch {
    // What keeps a server from answering is told when the plugin is built the next time.
    return [];
  }
};
