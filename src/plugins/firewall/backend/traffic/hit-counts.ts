import type { Json, Kv } from "#plugins/sdk/types.ts";
import { createPartedDocument, readUndamaged } from "../store/parted-document.ts";

/** How often each entry, rule and pattern decided something, on all replicas. */
export type HitCounts = {
  add(kind: string, id: string): void;
  /** What is stored and what was counted here since. */
  of(kind: string, id: string): number;
  /** The sum of a kind. */
  sum(kind: string): number;
  /** Adds what was counted to what is stored; nothing is lost when it throws. `isKnown` tells what is still there. */
  sync(isKnown: (key: string) => boolean): Promise<void>;
};

const tries = 5;
const mostKeys = 10_000;

/** Nothing is counted yet. */
export const createHitCounts = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">): HitCounts => {
  const document = createPartedDocument(kv, "hits");
  let stored = new Map<string, number>();
  let counted = new Map<string, number>();
  const keyOf = (kind: string, id: string) => `${kind} ${id}`;

  const write = async (added: ReadonlyMap<string, number>, isKnown: (key: string) => boolean) => {
    for (let attempt = 1; ; attempt += 1) {
      const found = await readUndamaged(document);
      const sums = readCounts(found?.value);
      for (const [key, count] of added) sums.set(key, (sums.get(key) ?? 0) + count);
      const kept = new Map([...sums].filter(([key]) => isKnown(key)).slice(0, mostKeys));
      stored = kept;
      if (added.size === 0) return;
      const version = found?.version ?? (await document.version().catch(() => 0));
      try {
        await document.write(Object.fromEntries(kept) satisfies Json, version);
        return;
      } catch (error) {
        if (!(error instanceof Error) || error.name !== "CONFLICT" || attempt === tries) throw error;
      }
    }
  };

  return {
    add: (kind, id) => {
      const key = keyOf(kind, id);
      const count = counted.get(key);
      if (count !== undefined) counted.set(key, count + 1);
      else if (counted.size < mostKeys) counted.set(key, 1);
    },
    of: (kind, id) => (stored.get(keyOf(kind, id)) ?? 0) + (counted.get(keyOf(kind, id)) ?? 0),
    sum: (kind) => {
      let sum = 0;
      for (const counts of [stored, counted])
        for (const [key, count] of counts) if (key.startsWith(`${kind} `)) sum += count;
      return sum;
    },
    sync: async (isKnown) => {
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
