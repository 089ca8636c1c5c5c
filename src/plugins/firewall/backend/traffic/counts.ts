import type { Json, Kv } from "#plugins/sdk/types.ts";
import { againOnConflict, createPartedDocument, createPublished, readUndamaged } from "../stored.ts";
import type { Counts, Verdict } from "../wire.ts";

/** The minutes that had requests, by their numbers since 1970: counts in the order of {@link names}. */
type Kept = Record<string, number[]>;

const minuteMs = 60_000;
const keptMinutes = 24 * 60;
const names = ["passed", "blocked", "wouldBlock", "limited", "spared"] as const;

const fields: Record<Verdict, keyof Counts> = {
  passed: "passed",
  noticed: "passed",
  blocked: "blocked",
  "would-block": "wouldBlock",
  limited: "limited",
};

type MinutesParts = { kv: Pick<Kv, "get" | "set" | "list">; replica: string; now(): number };

/** How many requests there were in each minute of the last 24 hours, on all servers. Nothing is counted yet. */
export const createMinutes = ({ kv, replica, now }: MinutesParts) => {
  const published = createPublished(kv, { name: "minutes", replica, ttlMs: keptMinutes * minuteMs });
  const own: Kept = {};
  let others: Kept[] = [];
  let hasChanged = false;
  const minuteNow = () => Math.floor(now() / minuteMs);

  const sumUp = (minutes: readonly number[]): Counts => {
    const sum = { passed: 0, blocked: 0, wouldBlock: 0, limited: 0, spared: 0 };
    for (const kept of [own, ...others])
      for (const minute of minutes)
        for (const [at, name] of names.entries()) sum[name] += kept[minute]?.[at] ?? 0;
    return sum;
  };
  const last = (hours: number): number[] => {
    const length = Math.min(keptMinutes, hours * 60);
    return Array.from({ length }, (_, index) => minuteNow() - length + 1 + index);
  };

  return {
    add: (verdict: Verdict, isSpared: boolean) => {
      const minute = minuteNow();
      const counts = own[minute] ?? names.map(() => 0);
      own[minute] = counts;
      for (const [at, name] of names.entries())
        if (name === fields[verdict] || (isSpared && name === "spared")) counts[at] = (counts[at] ?? 0) + 1;
      hasChanged = true;
    },
    /** The minutes of the last so many hours, oldest first, those without requests too. */
    list: (hours: number): (Counts & { at: string })[] =>
      last(hours).map((minute) => ({ at: new Date(minute * minuteMs).toISOString(), ...sumUp([minute]) })),
    sum: (hours: number): Counts => sumUp(last(hours)),
    /** Shows what is counted here, and takes in what the others counted. Throws what the store throws. */
    sync: async () => {
      for (const minute of Object.keys(own))
        if (Number(minute) <= minuteNow() - keptMinutes) delete own[minute];
      if (hasChanged) await published.publish(own);
      hasChanged = false;
      others = [...(await published.others()).values()].map(readKept);
    },
  };
};

const readKept = (value: unknown): Kept =>
  Object.fromEntries(
    Object.entries(Object(value)).filter(
      (entry): entry is [string, number[]] =>
        Array.isArray(entry[1]) && entry[1].every((count) => Number.isFinite(count)),
    ),
  );

const mostKeys = 10_000;

/** How often each entry, rule and pattern decided something, on all replicas. Nothing is counted yet. */
export const createHitCounts = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">) => {
  const document = createPartedDocument(kv, "hits");
  let stored = new Map<string, number>();
  let counted = new Map<string, number>();
  const keyOf = (kind: string, id: string) => `${kind} ${id}`;

  const write = (added: ReadonlyMap<string, number>, isKnown: (key: string) => boolean): Promise<void> =>
    againOnConflict(async () => {
      const found = await readUndamaged(document);
      const sums = readCounts(found?.value);
      for (const [key, count] of added) sums.set(key, (sums.get(key) ?? 0) + count);
      stored = new Map([...sums].filter(([key]) => isKnown(key)).slice(0, mostKeys));
      if (added.size === 0) return;
      const version = found?.version ?? (await document.version().catch(() => 0));
      await document.write(Object.fromEntries(stored) satisfies Json, version);
    });

  return {
    add: (kind: string, id: string) => {
      const key = keyOf(kind, id);
      const count = counted.get(key);
      if (count !== undefined) counted.set(key, count + 1);
      else if (counted.size < mostKeys) counted.set(key, 1);
    },
    /** What is stored and what was counted here since. */
    of: (kind: string, id: string) =>
      (stored.get(keyOf(kind, id)) ?? 0) + (counted.get(keyOf(kind, id)) ?? 0),
    /** The sum of a kind. */
    sum: (kind: string) => {
      let sum = 0;
      for (const counts of [stored, counted])
        for (const [key, count] of counts) if (key.startsWith(`${kind} `)) sum += count;
      return sum;
    },
    /** Adds what was counted to what is stored; nothing is lost when it throws. `isKnown` tells what is still there. */
    sync: async (isKnown: (key: string) => boolean) => {
      const added = counted;
      counted = new Map();
      try {
        await write(added, isKnown);
      } catch (error) {
        for (const [key, count] of added) counted.set(key, (counted.get(key) ?? 0) + count);
        throw error;
      }
    },
  };
};

const readCounts = (value: unknown): Map<string, number> =>
  new Map(
    Object.entries(Object(value)).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number" && Number.isFinite(entry[1]),
    ),
  );
