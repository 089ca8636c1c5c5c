import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { ActivityInput } from "#plugins/sdk/types.ts";
import type { JournalEntry, Reason } from "../wire.ts";

type Group = { count: number; addresses: Set<string>; first: JournalEntry };

const mostAddresses = 1_000;
const told = 3;
const pauseMs = 60_000;
const firstPauseMs = 2_000;

const words: Record<JournalEntry["verdict"], string> = {
  blocked: "Blocked requests",
  "would-block": "Would have blocked requests",
  limited: "Rate limited requests",
  noticed: "Logged suspicious requests",
};

/**
 * Tells the activity log what was stopped: some rows a minute, however much it is. Groups what happens by what was done and
 * why: the first of a kind is told of within seconds, what follows once a minute.
 */
export const createActivityNotes = (log: (entry: ActivityInput) => Promise<void>, now: () => number) => {
  const groups = new Map<string, Group>();
  const toldAt = new Map<string, number>();

  return {
    add: (entry: JournalEntry) => {
      const by = entry.reasons.at(0)?.by ?? "pattern";
      const key = `${entry.verdict} ${by}`;
      const group = groups.get(key) ?? { count: 0, addresses: new Set<string>(), first: entry };
      group.count += 1;
      if (group.addresses.size < mostAddresses) group.addresses.add(entry.address);
      groups.set(key, group);
    },
    /** Writes rows for what was added since the last call. */
    flush: async () => {
      for (const [key, group] of [...groups]) {
        const pause = toldAt.has(key) ? pauseMs : firstPauseMs;
        const since = Math.max(toldAt.get(key) ?? Number.NEGATIVE_INFINITY, Date.parse(group.first.at));
        if (now() - since < pause) continue;
        groups.delete(key);
        toldAt.set(key, now());
        await log(rowOf(group));
      }
      for (const [key, at] of [...toldAt])
        if (now() - at > 2 * pauseMs && !groups.has(key)) toldAt.delete(key);
    },
  };
};

const whys: Record<Reason["by"], string> = {
  address: "IP address list",
  ban: "ban",
  country: "country",
  rate: "rate",
  pattern: "attack patterns",
  obstacle: "cannot be inspected",
  engine: "patterns failed",
};

const rowOf = ({ count, addresses, first }: Group): ActivityInput => {
  const [reason] = first.reasons;
  const some = [...addresses].slice(0, told).join(", ");
  const more = addresses.size > told ? ` and ${addresses.size - told} more` : "";
  return {
    type: "suspicious_activity",
    action: `${words[first.verdict]} (${whys[reason?.by ?? "pattern"]})`,
    description: `${count} from ${some}${more}. First: ${first.method} ${first.path}, ${reason?.text ?? ""}; ID ${first.id}`,
    status: "warning",
    severity: first.verdict === "blocked" ? "medium" : "low",
  };
};

/** Characters of an action that the activity log takes. */
export const mostAction = 180;

/** Adds a row to the activity log, where its action is cut; what happened has happened, whether or not the log takes it. */
export const tellActivity = (ctx: Pick<NativeCtx, "activity" | "log">, row: ActivityInput): Promise<void> =>
  ctx.activity
    .log({ ...row, action: row.action.slice(0, mostAction) })
    .catch((error) =>
      ctx.log("warn", `${row.action} (${row.description ?? ""}): not recorded in the activity log: ${error}`),
    );
