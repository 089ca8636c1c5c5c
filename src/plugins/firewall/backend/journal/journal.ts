import type { Json, Kv } from "#plugins/sdk/types.ts";
import type { Finished } from "../inspect/inspector.ts";
import { redactPath, redactQuery, redactText } from "../inspect/redact.ts";
import { shortName } from "../stored.ts";
import { fittingIn } from "../wire/shape.ts";
import { journalEntry, type Reason } from "../wire/watch.ts";
import type { JournalEntry, Role, TrafficRow } from "../wire.ts";

/** What is asked of the journal; all of it has to hold. */
type JournalFilter = {
  verdict?: string;
  by?: string;
  address?: string;
  search?: string;
  /** Only what is older than the entry of this cursor. */
  before?: string;
  limit: number;
};

/** So many entries are kept, and so long. */
const journalBounds = { entries: 5_000, keptMs: 7 * 24 * 60 * 60 * 1_000 } as const;

/** The newest requests that something spoke against, in memory. An empty journal. */
export const createJournal = (now: () => number, most: number = journalBounds.entries) => {
  // Oldest first.
  let entries: JournalEntry[] = [];
  const byId = new Map<string, JournalEntry>();

  const trim = (): void => {
    // Not one by one: taking off the front moves all the others.
    if (entries.length <= most + most / 10) return;
    for (const entry of entries.splice(0, entries.length - most)) byId.delete(entry.id);
  };

  return {
    add: (entry: JournalEntry) => {
      if (byId.has(entry.id)) return;
      byId.set(entry.id, entry);
      entries.push(entry);
      trim();
    },
    /** Puts in what others wrote down, or was written before the start; what is known is left as it is. */
    merge: (others: readonly JournalEntry[]) => {
      const fresh = others.filter(({ id }) => !byId.has(id));
      if (fresh.length === 0) return;
      for (const entry of fresh) byId.set(entry.id, entry);
      entries = [...entries, ...fresh].sort((one, other) => compare(cursorOf(one), cursorOf(other)));
      trim();
    },
    find: (id: string): JournalEntry | null => byId.get(id) ?? null,
    list: ({ limit, before, ...filter }: JournalFilter): { entries: JournalEntry[]; next: string | null } => {
      const found: JournalEntry[] = [];
      const oldest = new Date(now() - journalBounds.keptMs).toISOString();
      const matches = createMatch(filter);
      for (let at = entries.length - 1; at >= 0; at -= 1) {
        const entry = entries[at];
        if (entry === undefined || entry.at < oldest) break;
        if (before !== undefined && compare(cursorOf(entry), before) >= 0) continue;
        if (!matches(entry)) continue;
        if (found.length === limit) return { entries: found, next: cursorOf(found.at(-1) ?? entry) };
        found.push(entry);
      }
      return { entries: found, next: null };
    },
    get size() {
      return entries.length;
    },
  };
};

/** Where an entry stands among all. */
const cursorOf = ({ at, id }: JournalEntry): string => `${at}_${id}`;

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

const createMatch = ({ verdict, by, address, search }: Omit<JournalFilter, "limit" | "before">) => {
  const wanted = search?.toLowerCase();
  return (entry: JournalEntry): boolean =>
    (verdict === undefined || entry.verdict === verdict) &&
    (by === undefined || entry.reasons.some((reason) => reason.by === by)) &&
    (address === undefined || entry.address === address) &&
    (wanted === undefined || textsOf(entry).some((text) => text.toLowerCase().includes(wanted)));
};

const textsOf = (entry: JournalEntry): string[] => [
  ...[
    entry.id,
    entry.address,
    entry.method,
    entry.path,
    entry.query,
    entry.userAgent,
    entry.user?.name ?? "",
  ],
  ...entry.reasons.flatMap(({ text, excerpt }: Reason) => [text, excerpt]),
];

type JournalStoreOptions = {
  kv: Pick<Kv, "get" | "entry" | "set" | "delete" | "list">;
  replica: string;
  now(): number;
};

const batchPrefix = "journal:";
const mostWaiting = 500;
const batchBytes = 50_000;
const batchesAtOnce = 4;
/** Of all replicas: 5 MB at most. */
const mostBatches = 100;
const encoder = new TextEncoder();

/**
 * Where the journal is kept: in batches, each replica writing its own. The journal of an installation, as one of its
 * replicas sees it.
 */
export const createJournalStore = ({ kv, replica, now }: JournalStoreOptions) => {
  const own = shortName(replica);
  let waiting: string[] = [];
  let leftOut = 0;
  let open: { key: string; texts: string[]; bytes: number } | null = null;
  let opened = 0;
  const seen = new Map<string, number>();

  const begin = () => {
    opened += 1;
    const time = now().toString(36).padStart(9, "0");
    return {
      key: `${batchPrefix}${time}${opened.toString(36).padStart(4, "0")}:${own}`,
      texts: [],
      bytes: 2,
    };
  };

  const keys = async (): Promise<string[]> => {
    const { keys: found } = await kv.list(batchPrefix, { limit: 1_000 });
    return found;
  };

  const prune = async (): Promise<void> => {
    const all = await keys();
    for (const key of all.slice(0, Math.max(0, all.length - mostBatches))) await kv.delete(key);
  };

  /** Fills the open batch, or a new one when nothing more fits, and writes it. */
  const writeBatch = async (): Promise<void> => {
    const isNew = open === null;
    const batch = open ?? begin();
    const texts = [...batch.texts];
    let { bytes } = batch;
    let taken = 0;
    for (const text of waiting) {
      const size = encoder.encode(text).length + 1;
      if (texts.length > 0 && bytes + size > batchBytes) break;
      texts.push(text);
      bytes += size;
      taken += 1;
    }
    if (taken > 0) {
      const entries: Json = JSON.parse(`[${texts.join(",")}]`);
      await kv.set(batch.key, entries, { ttlMs: journalBounds.keptMs });
      waiting = waiting.slice(taken);
    }
    // What is left did not fit: the next one begins anew.
    open = waiting.length > 0 ? null : { key: batch.key, texts, bytes };
    if (isNew) await prune();
  };

  return {
    /** Takes an entry to be written with the next `flush`; some are left out in a flood. */
    add: (entry: JournalEntry) => {
      if (waiting.length < mostWaiting) waiting.push(JSON.stringify(entry));
      else leftOut += 1;
    },
    /** Writes what was taken. Throws what the store throws; nothing is lost by it but what comes in a flood. */
    flush: async () => {
      for (let batch = 0; batch < batchesAtOnce && waiting.length > 0; batch += 1) await writeBatch();
    },
    /** What was written since the last call, by anybody; all that is kept at the first one. */
    sync: async (): Promise<JournalEntry[]> => {
      const all = await keys();
      // Of each replica only the last batch still grows.
      const growing = new Set(new Map(all.map((key) => [key.slice(key.lastIndexOf(":")), key])).values());
      const found: JournalEntry[] = [];
      for (const key of all) {
        if (key.endsWith(`:${own}`) && key === open?.key) continue;
        if (seen.has(key) && !growing.has(key)) continue;
        const entry = await kv.entry(key).catch(() => undefined);
        if (entry === undefined || seen.get(key) === entry.version) continue;
        seen.set(key, entry.version);
        found.push(...fittingIn(journalEntry, entry.value));
      }
      for (const key of [...seen.keys()]) if (!all.includes(key)) seen.delete(key);
      return found;
    },
    /** How many entries were left out. */
    get leftOut() {
      return leftOut;
    },
  };
};

const mostReasons = 12;
const mostAgent = 200;

/** What may be shown of a request: nothing in it is a cookie, a credential or a password. */
export type Shown = Pick<TrafficRow, "method" | "path" | "address" | "country"> & {
  query: string;
  userAgent: string;
};

/** A request as it may be shown and kept. */
export const shownOf = ({ request }: Pick<Finished, "request">): Shown => ({
  method: request.method.slice(0, 20),
  path: redactPath(request.path),
  query: redactQuery(request.query),
  address: request.ip,
  country: request.country,
  userAgent: redactText(request.headers.get("user-agent") ?? "", mostAgent),
});

/** Who made a request, as far as it was asked. */
export const roleOf = ({ note, outcome }: Finished): Role => (outcome.user ?? note.admin)?.role ?? "visitor";

/** A request that something spoke against, for the journal; `null` for one that passed. */
export const toEntry = (
  finished: Finished,
  { shown, threshold, replica }: { shown: Shown; threshold: number; replica: string },
): JournalEntry | null => {
  const { request, note, outcome, atMs } = finished;
  if (note.verdict === "passed") return null;
  const user = outcome.user ?? note.admin;
  return {
    id: request.id,
    at: new Date(atMs).toISOString(),
    verdict: note.verdict,
    ...shown,
    user: user === null ? null : { id: user.id, name: redactText(user.name, 100), role: user.role },
    ...(note.teaches ? { teaches: true } : {}),
    score: note.patterns.score,
    threshold,
    reasons: note.reasons
      .slice(0, mostReasons)
      .map((reason) => ({ ...reason, text: reason.text.slice(0, 300) })),
    status: outcome.status,
    replica,
  };
};
