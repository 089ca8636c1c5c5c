import { type Command, InvalidArgumentError } from "commander";
import { filterOptions } from "#api/modules/activity/contract/parts.ts";
import type { Activity, ActivityStatsInput } from "#api/modules/activity/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import type { ServerEvent } from "#cli/client/server-events.ts";
import { CliFailure, type FailureKind, serveIt } from "#cli/failure.ts";
import {
  type Cli,
  examples,
  type GlobalOptions,
  handler,
  type Invocation,
  withClient,
} from "#cli/invocation.ts";
import { type GivenOptions, optionOf, typedInput } from "#cli/operations/declared-command.ts";
import { wholeNumber } from "#cli/operations/typed-values.ts";
import { jsonLine, outputStyle } from "#cli/terminal/output.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import { limits } from "#contract/limits.ts";
import { activityLine } from "./activity-views.ts";

type TailOptions = GlobalOptions & GivenOptions & { lines: number; ndjson?: true };

const mostLines = 10_000;

/** `activity tail`: the newest activities, and new ones as they come. */
export const addActivityTailCommand = (group: Command, cli: Cli): void => {
  const tailing = group
    .command("tail")
    .summary("show new activities as they happen")
    .description(
      "Shows the newest activities, oldest first, and then each new one as it happens, until you press Ctrl-C. On a " +
        "terminal each is a readable line, elsewhere a line of JSON. An interrupted stream is resumed where it " +
        "stopped. Without a running server it shows the newest activities and ends with 3.",
    );
  for (const option of filterOptions) tailing.addOption(optionOf(option));
  tailing
    .option(
      "-n, --lines <number>",
      `how many of the newest to show first, 0 to ${mostLines}`,
      linesToShow,
      10,
    )
    .option("--ndjson", "one activity per line as JSON, on a terminal too")
    .addHelpText(
      "after",
      examples(
        ["Watch", "atrium activity tail"],
        ["Only new activities, and only serious ones", "atrium activity tail -n 0 --severity high,critical"],
        [
          "The IP addresses of failed requests, for a script",
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
      `no server is running on the data folder ${composition.dataDir}, so there is nothing to follow; start it: ${serveIt(composition.dataDir)}`,
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

/** Prints activities; `gone` is called when their reader has gone. */
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
  if (lines > mostLines) throw new InvalidArgumentError(`It must be a whole number from 0 to ${mostLines}.`);
  return lines;
};

/** How activities are followed. */
type Following = {
  query: Newest["query"];
  /** The number of the newest activity that needs not be shown. */
  after: number;
  /** Ends it. */
  ended: AbortSignal;
  show(activity: Activity): void;
  /** Tells what is no activity. */
  note(text: string): void;
  /** Waits between two tries to reach the server. */
  pause(ms: number): Promise<void>;
};

const firstPauseMs = 250;
const longestPauseMs = 15_000;
/** How many activities are read again at most when the server has left some out. */
const mostReadAgain = 1_000;

// The server may be back in a moment: it restarts, or what stands between has dropped the line.
const passing: readonly FailureKind[] = [
  "UNREACHABLE",
  "SHUTTING_DOWN",
  "DB_UNAVAILABLE",
  "RATE_LIMITED",
  "INTERNAL",
];

/**
 * Shows each new activity once, in the order of the log, until `ended`: a stream that breaks off is taken up again where
 * it was, and what the server left out is read again. Throws what the API refuses, but nothing that passes.
 */
export const followActivity = async (client: Client, following: Following): Promise<void> => {
  const { query, ended, note, pause } = following;
  let last = following.after;
  let tries = 0;
  let isLost = false;
  while (!ended.aborted) {
    try {
      const after = String(last);
      const events = await client.stream("/api/admin/activity/stream", { query, after, ended });
      if (isLost) note("reconnected");
      isLost = false;
      for await (const event of events) {
        tries = 0;
        last = await take(client, { event, last, following });
      }
    } catch (error) {
      if (ended.aborted) return;
      if (!(error instanceof CliFailure && passing.includes(error.kind))) throw error;
    }
    if (ended.aborted) return;
    if (!isLost) note(`the stream from ${client.target} ended; reconnecting`);
    isLost = true;
    await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** tries));
    tries += 1;
  }
};

/** Shows what an event brings; the number of the newest activity that was shown or passed over. */
const take = async (
  client: Client,
  { event, last, following }: { event: ServerEvent; last: number; following: Following },
): Promise<number> => {
  if (event.type === "gap") return catchUp(client, { through: Number(event.id), last, following });
  if (event.type !== "activity" || Number(event.id) <= last) return last;
  following.show(activityOf(event.data));
  return Number(event.id);
};

const catchUp = async (
  client: Client,
  { through, last, following }: { through: number; last: number; following: Following },
): Promise<number> => {
  if (through < last) {
    following.note("the activity log was replaced, for example by a restored backup");
    return through;
  }
  const { activities, isAll } = await newestActivities(client, {
    query: following.query,
    most: mostReadAgain,
    above: last,
  });
  if (!isAll)
    following.note(
      "too many activities at the same time: some are not shown here; see them with: atrium activity export --all",
    );
  for (const activity of activities) following.show(activity);
  return Math.max(through, activities.at(-1)?.id ?? 0);
};

/** The server made it from the very type. */
const activityOf = (json: string): Activity => JSON.parse(json) as Activity;

/** Which of the newest activities are wanted: `most` of those that match and whose number is above `above`. */
type Newest = { query: ActivityStatsInput; most: number; above: number };

/** The newest activities, oldest first; `isAll` says whether no more of them are above `above`. */
const newestActivities = async (
  client: Client,
  { query, most, above }: Newest,
): Promise<{ activities: Activity[]; isAll: boolean }> => {
  const found: Activity[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const limit = Math.min(limits.pageSizeMax, most - found.length);
    if (limit === 0) return { activities: found.reverse(), isAll: false };
    const { activities } = (await operationsOf(client).activity.list({ ...query, limit, before })).data;
    const wanted = activities.filter(({ id }) => id > above);
    found.push(...wanted);
    if (wanted.length < limit) return { activities: found.reverse(), isAll: true };
  }
};

/** The number of the newest activity of all; 0 for an empty log. */
const newestId = async (client: Client): Promise<number> => {
  const { activities } = (await operationsOf(client).activity.list({ limit: 1 })).data;
  return activities[0]?.id ?? 0;
};
