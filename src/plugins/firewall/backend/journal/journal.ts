import type { JournalEntry, Reason } from "../wire.ts";

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

/** The newest requests that something spoke against, in memory. */
export type Journal = {
  add(entry: JournalEntry): void;
  /** Puts in what others wrote down, or was written before the start; what is known is left as it is. */
  merge(entries: readonly JournalEntry[]): void;
  find(id: string): JournalEntry | null;
  list(filter: JournalFilter): { entries: JournalEntry[]; next: string | null };
  readonly size: number;
};

/** So many entries are kept, and so long. */
export const journalBounds = { entries: 5_000, keptMs: 7 * 24 * 60 * 60 * 1_000 } as const;

/** An empty journal. */
export const createJournal = (now: () => number, most: number = journalBounds.entries): Journal => {
  // Oldest first.
  let entries: JournalEntry[] = [];
  const byId = new Map<string, JournalEntry>();

  const trim = (): void => {
    // Not one by one: taking off the front moves all the others.
    if (entries.length <= most + most / 10) return;
    for (const entry of entries.splice(0, entries.length - most)) byId.delete(entry.id);
  };

  return {
    add: (entry) => {
      if (byId.has(entry.id)) return;
      byId.set(entry.id, entry);
      entries.push(entry);
      trim();
    },
    merge: (others) => {
      const fresh = others.filter(({ id }) => !byId.has(id));
      if (fresh.length === 0) return;
      for (const entry of fresh) byId.set(entry.id, entry);
      entries = [...entries, ...fresh].sort((one, other) => compare(cursorOf(one), cursorOf(other)));
      trim();
    },
    find: (id) => byId.get(id) ?? null,
    list: ({ limit, before, ...filter }) => {
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
