import type { Json, Kv } from "#plugins/sdk/types.ts";
import { createPartedDocument, expiring } from "../store/parted-document.ts";
import { shortName } from "../store/published.ts";
import { type Fact, type Facts, factsAnHour, hourMs, type StoredHour } from "./facts.ts";

/** Keeps what is known of the last 24 hours over a restart; each replica its own. */
export type FactsStore = {
  /** Writes the hours that changed since the last call. Throws what the store throws. */
  save(): Promise<void>;
  /** Takes in what was stored before the start, and of other replicas what they stored last. */
  load(): Promise<{ others: StoredHour[] }>;
};

type Store = Pick<Kv, "get" | "entry" | "set" | "delete" | "list">;

const prefix = "facts:";
// A head and parts: what is older than a day belongs to nobody.
const keptMs = 25 * hourMs;

/** The stored facts of this replica. */
export const createFactsStore = (
  kv: Store,
  { facts, replica, now }: { facts: Facts; replica: string; now(): number },
): FactsStore => {
  const own = shortName(replica);
  const saved = new Map<number, number>();

  const read = async (key: string): Promise<StoredHour | null> => {
    try {
      return hourIn((await createPartedDocument(kv, key).read())?.value);
    } catch {
      // Damaged or gone meanwhile: a replay can do without.
      return null;
    }
  };

  return {
    save: async () => {
      for (const hour of facts.hours()) {
        const found = facts.hour(hour);
        if (found === null || saved.get(hour) === found.seen) continue;
        const document = createPartedDocument(expiring(kv, keptMs), `${prefix}${hour}.${own}`);
        await document.write(found satisfies Json);
        saved.set(hour, found.seen);
      }
      for (const hour of [...saved.keys()]) if (facts.hour(hour) === null) saved.delete(hour);
    },
    load: async () => {
      const others: StoredHour[] = [];
      const { keys } = await kv.list(prefix, { limit: 1_000 });
      const oldest = Math.floor(now() / hourMs) - 24;
      for (const key of keys) {
        const [, hour, replicaOf] = /^facts:(\d+)\.([A-Za-z0-9]+)$/.exec(key) ?? [];
        if (hour === undefined || Number(hour) <= oldest) continue;
        if (replicaOf === own && facts.hour(Number(hour)) !== null) continue;
        const stored = await read(key);
        if (stored === null) continue;
        if (replicaOf === own) facts.put(Number(hour), stored);
        else others.push(stored);
      }
      return { others };
    },
  };
};

const hourIn = (value: unknown): StoredHour | null => {
  const { seen, facts }: { seen?: unknown; facts?: unknown } = Object(value);
  if (typeof seen !== "number" || !Array.isArray(facts)) return null;
  return { seen, facts: facts.filter(isFact).slice(0, factsAnHour) };
};

/** Written by this plugin alone; one of another version lacks what rules look at. */
const isFact = (value: unknown): value is Fact => {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(Object(value)));
  return (
    ["id", "method", "path", "query", "userAgent", "referer", "address", "role"].every(
      (name) => typeof fields[name] === "string",
    ) && typeof fields.at === "number"
  );
};
