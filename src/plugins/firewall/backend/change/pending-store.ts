import type { Json, Kv } from "#plugins/sdk/types.ts";
import { type Rules, readRules } from "../rules/rules.ts";
import { createPartedDocument } from "../stored.ts";
import { switchesIn } from "../switches.ts";
import type { Switches } from "../wire.ts";

/** A change that goes back at its deadline, with what it goes back to; times are milliseconds since 1970. */
export type StoredPending = {
  revision: number;
  deadline: number;
  /** When the first of its changes was made. */
  since: number;
  by: string;
  byId: string | null;
  /** What was changed, the first first; of many only the first few. */
  whats: string[];
  /** How many more there were. */
  more: number;
  switches: Switches;
};

/** Where the change that waits to be confirmed is kept: one at most, known to all replicas, over a restart too. */
export type PendingStore = {
  /** The one that waits, as it was read last. */
  readonly current: StoredPending | null;
  /** Reads it anew. Throws what the store throws. */
  load(): Promise<StoredPending | null>;
  /** Keeps a change; `rules` are those that it goes back to, `null` leaves those that are kept. */
  keep(pending: StoredPending, rules: Rules | null): Promise<void>;
  /**
   * Changes what it goes back to, while it waits on as it is. Throws a conflict when it is another one by now, and what the
   * store throws.
   */
  rebase(waiting: StoredPending, back: { rules: Rules; switches: Switches }): Promise<void>;
  /**
   * Takes the change out: `true` for exactly one of those that try. What is taken to be taken back has to be taken back
   * within ten seconds, or somebody else may take it again.
   */
  take(revision: number, isRevert: boolean): Promise<boolean>;
  /** The rules to go back to. Throws for damaged ones. */
  rulesBefore(): Promise<Rules>;
  /** Forgets what was taken. */
  clear(): Promise<void>;
};

const key = "pending";
const graceMs = 10_000;

type Row = StoredPending & { takenAt: number };

/** Nothing is read yet. */
export const createPendingStore = (
  kv: Pick<Kv, "get" | "entry" | "set" | "delete">,
  now: () => number,
): PendingStore => {
  const document = createPartedDocument(kv, "rules-before");
  let current: StoredPending | null = null;

  const isTaken = ({ takenAt }: Row): boolean => now() - takenAt < graceMs;

  const read = async (): Promise<{ row: Row; version: number } | null> => {
    const entry = await kv.entry(key);
    const row = entry === undefined ? null : rowIn(entry.value);
    return entry === undefined || row === null ? null : { row, version: entry.version };
  };

  return {
    get current() {
      return current;
    },
    load: async () => {
      const found = await read();
      current = found === null || isTaken(found.row) ? null : found.row;
      return current;
    },
    keep: async (pending, rules) => {
      if (rules !== null) await document.write(rules);
      await kv.set(key, { ...pending, takenAt: 0 });
      current = pending;
    },
    rebase: async ({ revision }, { rules, switches }) => {
      const found = await read();
      if (found === null || found.row.revision !== revision || isTaken(found.row)) throw changed();
      const next = { ...found.row, switches };
      await kv.set(key, next, { ifVersion: found.version });
      current = next;
      await document.write(rules);
    },
    take: async (revision, isRevert) => {
      const found = await read();
      if (found === null || found.row.revision !== revision) return false;
      if (isTaken(found.row)) return false;
      try {
        await kv.set(key, { ...found.row, takenAt: now() }, { ifVersion: found.version });
      } catch (error) {
        if (error instanceof Error && error.name === "CONFLICT") return false;
        throw error;
      }
      current = null;
      if (!isRevert) await kv.delete(key);
      return true;
    },
    rulesBefore: async () => readRules((await document.read())?.value),
    clear: async () => {
      await kv.delete(key);
    },
  };
};

const changed = (): Error => Object.assign(new Error("A different change is pending"), { name: "CONFLICT" });

const rowIn = (value: Json): Row | null => {
  const fields: Record<string, Json> = Object.fromEntries(Object.entries(Object(value)));
  const { revision, deadline, since, by, byId, whats, more, takenAt, switches } = fields;
  if (typeof revision !== "number" || typeof deadline !== "number" || typeof takenAt !== "number")
    return null;
  return {
    revision,
    deadline,
    takenAt,
    since: typeof since === "number" ? since : deadline,
    by: typeof by === "string" ? by : "",
    byId: typeof byId === "string" ? byId : null,
    whats: Array.isArray(whats) ? whats.filter((what) => typeof what === "string") : [],
    more: typeof more === "number" ? more : 0,
    switches: switchesIn(Object.fromEntries(Object.entries(Object(switches)))),
  };
};
