import { type Command, InvalidArgumentError } from "commander";
import { filterOptions } from "#api/modules/activity/contract/parts.ts";
import type { Activity, ActivityStatsInput } from "#api/modules/activity/contract.ts";
import { activityLine } from "#cli/activity-text.ts";
import type { Client } from "#cli/client.ts";
import { type GivenOptions, optionOf, typedInput } from "#cli/declared-command.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { followActivity } from "#cli/follow-activity.ts";
import { type Cli, type GlobalOptions, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { newestActivities, newestId } from "#cli/newest-activities.ts";
import { jsonLine, outputStyle } from "#cli/output.ts";
import { serveIt } from "#cli/server-words.ts";
import type { Terminal } from "#cli/terminal.ts";
import { wholeNumber } from "#cli/whole-number.ts";

type TailOptions = GlobalOptions & GivenOptions & { lines: number; ndjson?: true };

const mostLines = 10_000;

/** `activity tail`: the newest activities, and new ones as they come. */
export const addActivityTailCommand = (group: Command, cli: Cli): void => {
  const tailing = group
    .command("tail")
    .summary("show new activities as they come")
    .description(
      "Shows the newest activities, the oldest of them first, and then each new one as it comes, until Ctrl-C. On a " +
        "terminal a line of words each, elsewhere one as JSON a line. A stream that breaks off is taken up again where " +
        "it was. Without a running server nothing new can come: the newest are shown, and it ends with 3.",
    );
  for (const option of filterOptions) tailing.addOption(optionOf(option));
  tailing
    .option(
      "-n, --lines <number>",
      `how many of the newest to begin with, 0 to ${mostLines}`,
      linesToShow,
      10,
    )
    .option("--ndjson", "one activity a line, as JSON, on a terminal too")
    .addHelpText(
      "after",
      examples(
        ["Watch", "atrium activity tail"],
        ["Only what is coming, and only what matters", "atrium activity tail -n 0 --severity high,critical"],
        [
          "The addresses of failed calls, for a program",
          "atrium activity tail --status failure --ndjson | jq -r .ip",
        ],
      ),
    )
    .action(
      handler<TailOptions>(cli, (invocation, options) =>
        invocation.terminal.interruptible((ended) =>
          withClient(invocation, (client) => tail(invocation, { client, options, ended })),
        ),
      ),
    );
};

type Tail = { client: Client; options: TailOptions; ended: AbortSignal };

const tail = async (invocation: Invocation, { client, options, ended }: Tail): Promise<void> => {
  const { terminal, output, composition } = invocation;
  const query = typedFilters(options);
  // What is recorded from here on is shown by the stream, whether it matches what comes first or not.
  const head = await newestId(client);
  const { activities } = await newestActivities(client, { query, most: options.lines, above: 0 });
  const reader = new AbortController();
  const show = printer(terminal, {
    isJson: Boolean(options.json ?? options.ndjson),
    gone: () => reader.abort(),
  });
  for (const activity of activities) show(activity);
  if (!client.isServer) {
    throw new CliFailure(
      "UNREACHABLE",
      `no server runs on the data folder ${composition.dataDir}, nothing new can come; start one with: ${serveIt(composition.dataDir)}`,
    );
  }
  const over = AbortSignal.any([ended, reader.signal]);
  await followActivity(client, {
    query,
    after: Math.max(head, activities.at(-1)?.id ?? 0),
    ended: over,
    show,
    note: output.note,
    pause: (ms) => pause(ms, over),
  });
};

/** The options are declared with the very fields of the filters that they set. */
const typedFilters = (options: GivenOptions) => typedInput(filterOptions, options) as ActivityStatsInput;

/** Prints activities; `gone` is called once nobody reads them any more. */
const printer = (
  terminal: Terminal,
  { isJson, gone }: { isJson: boolean; gone: () => void },
): ((activity: Activity) => void) => {
  const style = outputStyle(terminal);
  const isForPerson = style.isTerminal && !isJson;
  return (activity) => {
    const text = isForPerson ? activityLine(activity, style) : jsonLine(activity);
    if (!terminal.out(`${text}\n`)) gone();
  };
};

const pause = (ms: number, ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    ended.addEventListener("abort", end, { once: true });
    if (ended.aborted) end();
  });

const linesToShow = (text: string): number => {
  const lines = wholeNumber(text);
  if (lines > mostLines) throw new InvalidArgumentError(`It must be 0 to ${mostLines}.`);
  return lines;
};
