import type { Json, Kv } from "#plugins/sdk/types.ts";
import type { Finished } from "../inspect/inspector.ts";
import { redactPath, redactQuery } from "../inspect/redact.ts";
import { roleOf, type Shown } from "../journal/journal.ts";
import { createPartedDocument, expiring, shortName } from "../stored.ts";
import { roles } from "../wire/rules.ts";
import {
  anyNumber,
  anyText,
  fits,
  fittingIn,
  flag,
  list,
  type Of,
  object,
  orNull,
  shape,
  word,
} from "../wire/shape.ts";

const storedFact = object(
  {
    id: anyText,
    /** Milliseconds since 1970. */
    at: anyNumber,
    ...{ method: anyText, path: anyText, query: anyText, userAgent: anyText, referer: anyText },
    ...{ address: anyText, country: orNull(anyText), route: orNull(anyText) },
    isCall: flag,
    role: word(...roles),
    ...{ userId: orNull(anyText), user: orNull(anyText) },
  },
  {
    /** As of an entry of the journal. */
    teaches: shape<true>({ type: "boolean", enum: [true] }),
  },
);
/** What is kept of a request to try rules on it: no body, no cookie, no credential, no token. */
export type Fact = Of<typeof storedFact>;

/** The requests of the last 24 hours on this replica, or a fair sample of each hour's. */
export type Facts = ReturnType<typeof createFacts>;

/** The requests of one hour. */
type StoredHour = { seen: number; facts: Fact[] };

const hourMs = 60 * 60 * 1_000;
const keptHours = 24;
/** Of each hour; of more, each has the same chance to be kept. */
export const factsAnHour = 1_000;

/** Nothing is known yet. `random` gives numbers from 0 to 1. */
export const createFacts = (now: () => number, random: () => number = Math.random) => {
  const hours = new Map<number, StoredHour>();
  const hourNow = () => Math.floor(now() / hourMs);

  const forget = (): void => {
    for (const hour of hours.keys()) if (hour <= hourNow() - keptHours) hours.delete(hour);
  };

  const open = (): StoredHour => {
    const hour = hourNow();
    const known = hours.get(hour);
    if (known !== undefined) return known;
    forget();
    const fresh: StoredHour = { seen: 0, facts: [] };
    hours.set(hour, fresh);
    return fresh;
  };

  return {
    add: (fact: () => Fact) => {
      const hour = open();
      hour.seen += 1;
      if (hour.facts.length < factsAnHour) {
        hour.facts.push(fact());
        return;
      }
      // Source: reservoir sampling, algorithm R (Vitter 1985).
      const place = Math.floor(random() * hour.seen);
      if (place < factsAnHour) hour.facts[place] = fact();
    },
    /** Oldest first. `seen`: how many there were; `kept`: how many of them are known. */
    all: (): { facts: Fact[]; seen: number } => {
      forget();
      const kept = [...hours.values()];
      return {
        facts: kept.flatMap(({ facts }) => facts).sort((one, other) => one.at - other.at),
        seen: kept.reduce((sum, { seen }) => sum + seen, 0),
      };
    },
    /** An hour as it is stored, and those that are kept. */
    hour: (hour: number): StoredHour | null => hours.get(hour) ?? null,
    hours: (): number[] => [...hours.keys()],
    /** Takes in what was stored before the start, or by another replica. */
    put: (hour: number, stored: StoredHour) => {
      if (hour > hourNow() - keptHours && !hours.has(hour)) hours.set(hour, stored);
    },
  };
};

/** What is kept of a request. */
export const toFact = (finished: Finished, shown: Shown): Fact => {
  const { request, note, outcome, atMs } = finished;
  const user = outcome.user ?? note.admin;
  return {
    id: request.id,
    at: atMs,
    ...shown,
    referer: refererOf(request.headers.get("referer") ?? ""),
    route: request.route,
    isCall: request.isCall,
    role: roleOf(finished),
    userId: user?.id ?? null,
    user: user?.name.slice(0, 100) ?? null,
    ...(note.teaches ? { teaches: true } : {}),
  };
};

const refererOf = (referer: string): string => {
  const [address = "", query] = referer.slice(0, 1_000).split("?", 2);
  return query === undefined ? redactPath(address) : `${redactPath(address)}?${redactQuery(query)}`;
};

type Store = Pick<Kv, "get" | "entry" | "set" | "delete" | "list">;

const hourPrefix = "facts:";
// A head and parts: what is older than a day belongs to nobody.
const keptMs = 25 * hourMs;

/** Keeps what is known of the last 24 hours over a restart; each replica its own. The stored facts of this replica. */
export const createFactsStore = (
  kv: Store,
  { facts, replica, now }: { facts: Facts; replica: string; now(): number },
) => {
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
    /** Writes the hours that changed since the last call. Throws what the store throws. */
    save: async () => {
      for (const hour of facts.hours()) {
        const found = facts.hour(hour);
        if (found === null || saved.get(hour) === found.seen) continue;
        const document = createPartedDocument(expiring(kv, keptMs), `${hourPrefix}${hour}.${own}`);
        await document.write(found satisfies Json);
        saved.set(hour, found.seen);
      }
      for (const hour of [...saved.keys()]) if (facts.hour(hour) === null) saved.delete(hour);
    },
    /** Takes in what was stored before the start, and of other replicas what they stored last. */
    load: async (): Promise<{ others: StoredHour[] }> => {
      const others: StoredHour[] = [];
      const { keys } = await kv.list(hourPrefix, { limit: 1_000 });
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

const storedHour = object({ seen: anyNumber, facts: list(shape<unknown>({})) });

/** What was written by another version lacks what rules look at. */
const hourIn = (value: unknown): StoredHour | null =>
  fits(storedHour, value)
    ? { seen: value.seen, facts: fittingIn(storedFact, value.facts).slice(0, factsAnHour) }
    : null;
