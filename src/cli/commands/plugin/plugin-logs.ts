import type { Command } from "commander";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { type Cli, examples, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { jsonLine, outputStyle, printable, type Style } from "#cli/terminal/output.ts";
import type { PluginLogLine } from "#contract/plugins.ts";

type LogOptions = { follow?: true; json?: true };

const pollMs = 1_000;

/** `plugin logs`: what a plugin wrote. */
export const addPluginLogsCommand = (group: Command, cli: Cli): void => {
  group
    .command("logs")
    .argument("<name>", "name of the plugin")
    .option("--follow", "keep showing new lines until Ctrl-C")
    .summary("show a plugin's log")
    .description(
      "Shows the newest lines of a plugin's log on one server: each server keeps the last 1,000 while it " +
        "runs. With --json one object per line.",
    )
    .addHelpText(
      "after",
      examples(
        ["The newest lines", "atrium plugin logs visitor-notes"],
        ["Follow the log", "atrium plugin logs visitor-notes --follow"],
      ),
    )
    .action(
      handler<LogOptions>(cli, async (invocation, options) => {
        const [name = ""] = invocation.args;
        await invocation.terminal.interruptible((ended) =>
          withClient(invocation, (client) => followLog(invocation, { client, name, options, ended })),
        );
      }),
    );
};

type Following = { client: Client; name: string; options: LogOptions; ended: AbortSignal };

/** Prints a plugin's log, and what comes to it until `ended`. */
const followLog = async (
  { terminal }: Invocation,
  { client, name, options, ended }: Following,
): Promise<void> => {
  const style = outputStyle(terminal);
  let after = 0;
  do {
    const { lines } = (await operationsOf(client).plugins.logs({ name, after })).data;
    for (const line of lines) {
      const isTaken = terminal.out(`${options.json ? jsonLine(line) : logLineText(line, style)}\n`);
      if (!isTaken) return;
    }
    after = lines.at(-1)?.id ?? after;
    if (options.follow) await Bun.sleep(pollMs);
  } while (options.follow && !ended.aborted);
};

/** A line of a plugin's log in readable form. */
export const logLineText = ({ at, level, message }: PluginLogLine, style: Style): string => {
  const paint = { debug: style.dim, info: style.bold, warn: style.yellow, error: style.red }[level];
  return `${style.dim(at)} ${paint(level.padEnd(5))} ${printable(message)}`;
};
