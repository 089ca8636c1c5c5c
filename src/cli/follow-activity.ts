import type { Activity } from "#api/modules/activity/contract.ts";
import type { Client } from "./client.ts";
import { CliFailure, type FailureKind } from "./failure.ts";
import { type Newest, newestActivities } from "./newest-activities.ts";
import type { ServerEvent } from "./server-events.ts";

/** How activities are followed. */
export type Following = {
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
      if (isLost) note("connected again");
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
    if (!isLost) note(`the stream from ${client.target} has ended; trying again`);
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
    following.note("the log is another one now, such as an older one that was restored");
    return through;
  }
  const { activities, isAll } = await newestActivities(client, {
    query: following.query,
    most: mostReadAgain,
    above: last,
  });
  if (!isAll)
    following.note("too many came at once: older ones are left out here, activity export --all has them");
  for (const activity of activities) following.show(activity);
  return Math.max(through, activities.at(-1)?.id ?? 0);
};

/** The server made it from the very type. */
const activityOf = (json: string): Activity => JSON.parse(json) as Activity;
