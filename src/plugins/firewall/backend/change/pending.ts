import type { Json, Kv } from "#plugins/sdk/types.ts";
import { type Rules, readRules } from "../rules/rules.ts";
import { createPartedDocument } from "../stored.ts";
import { switchesIn } from "../switches.ts";
import { texts } from "../texts.ts";
import type { Switches } from "../wire.ts";
import { isRisky, type State } from "./lock-out.ts";
import { Refused } from "./refused.ts";

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
export type PendingStore = ReturnType<typeof createPendingStore>;

const key = "pending";
const graceMs = 10_000;

type Row = StoredPending & { takenAt: number };

/** Nothing is read yet. */
export const createPendingStore = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">, now: () => number) => {
  const document = createPartedDocument(kv, "rules-before");
  let current: StoredPending | null = null;

  const isTaken = ({ takenAt }: Row): boolean => now() - takenAt < graceMs;

  const read = async (): Promise<{ row: Row; version: number } | null> => {
    const entry = await kv.entry(key);
    const row = entry === undefined ? null : rowIn(entry.value);
    return entry === undefined || row === null ? null : { row, version: entry.version };
  };

  return {
    /** The one that waits, as it was read last. */
    get current() {
      return current;
    },
    /** Reads it anew. Throws what the store throws. */
    load: async (): Promise<StoredPending | null> => {
      const found = await read();
      current = found === null || isTaken(found.row) ? null : found.row;
      return current;
    },
    /** Keeps a change; `rules` are those that it goes back to, `null` leaves those that are kept. */
    keep: async (pending: StoredPending, rules: Rules | null) => {
      if (rules !== null) await document.write(rules);
      await kv.set(key, { ...pending, takenAt: 0 });
      current = pending;
    },
    /**
     * Changes what it goes back to, while it waits on as it is. Throws a conflict when it is another one by now, and what the
     * store throws.
     */
    rebase: async (
      { revision }: StoredPending,
      { rules, switches }: { rules: Rules; switches: Switches },
    ) => {
      const found = await read();
      if (found === null || found.row.revision !== revision || isTaken(found.row)) throw changed();
      const next = { ...found.row, switches };
      await kv.set(key, next, { ifVersion: found.version });
      current = next;
      await document.write(rules);
    },
    /**
     * Takes the change out: `true` for exactly one of those that try. What is taken to be taken back has to be taken back
     * within ten seconds, or somebody else may take it again.
     */
    take: async (revision: number, isRevert: boolean) => {
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
    /** The rules to go back to. Throws for damaged ones. */
    rulesBefore: async (): Promise<Rules> => readRules((await document.read())?.value),
    /** Forgets what was taken. */
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

/** So long a change waits to be confirmed. */
export const confirmMs = 90_000;
/** Changes that join it wait no longer than this since the first. */
const mostConfirmMs = 180_000;
const mostNamed = 5;

type Named = Pick<StoredPending, "whats" | "more">;
type Timed = Pick<StoredPending, "deadline" | "since">;

/** One more change that goes back together with those that wait. */
export const alsoNamed = ({ whats, more }: Named, what: string): Named =>
  whats.length < mostNamed ? { whats: [...whats, what], more } : { whats, more: more + 1 };

/** All that goes back together, in a sentence. */
export const whatOf = ({ whats, more }: Named): string =>
  [...whats, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");

/** Until when it waits, once a risky change is made at `nowMs`; a deadline never comes nearer. */
export const extended = (waiting: Timed | null, nowMs: number): Timed => {
  if (waiting === null) return { since: nowMs, deadline: nowMs + confirmMs };
  const { since, deadline } = waiting;
  return { since, deadline: Math.max(deadline, Math.min(nowMs + confirmMs, since + mostConfirmMs)) };
};

/** Who changes something; the operator has neither an id nor an address. */
export type Editor = { id: string | null; name: string; ip: string | null };

/** Which rules are edited: those in force, or those that a trial of somebody else goes back to. */
type Edited = "in force" | "of a trial";

/** What is to be changed. `edit` is called again with newer rules when somebody else was faster; it may throw {@link Refused}. */
export type Change = {
  editor: Editor;
  /** For the activity log and for whoever has to confirm it. */
  what: string;
  /** Of what the editor saw; refused when it is older than what is in force. */
  revision?: number | undefined;
  switches?: Partial<Switches>;
  /** The change of the history that it reverts. */
  reverts?: number;
  edit?: (rules: Rules, edited: Edited) => Rules;
};

/** A change that is about to be made, and the one that waits already. */
type Step = {
  before: State;
  after: State;
  waiting: StoredPending | null;
  /** Of the rules before. */
  revision: number;
  nowMs: number;
  knowsCountries: boolean;
};

/**
 * Keeps what a change goes back to, before it is in force; returns how to have that as it was. Throws {@link Refused}, and
 * what the store throws.
 */
export const keepWayBack = async (
  pendingStore: PendingStore,
  change: Change,
  { before, after, waiting, revision, nowMs, knowsCountries }: Step,
): Promise<() => Promise<unknown>> => {
  const { editor, what } = change;
  if (editor.id === null) {
    if (waiting === null) return async () => {};
    // What the operator changes stays, whatever becomes of somebody else's trial.
    const old = { rules: await pendingStore.rulesBefore(), switches: waiting.switches };
    await pendingStore.rebase(waiting, rebased(old, change, { waiting, nowMs }));
    return () => pendingStore.rebase(waiting, old);
  }
  const hasToConfirm = isRisky(before, after, knowsCountries);
  if (!hasToConfirm && waiting === null) return async () => {};
  const { deadline, since } = hasToConfirm || waiting === null ? extended(waiting, nowMs) : waiting;
  const next = { revision: revision + 1, deadline, since, by: editor.name, byId: editor.id };
  const named = alsoNamed(waiting ?? { whats: [], more: 0 }, what);
  const switches = waiting?.switches ?? before.switches;
  await pendingStore.keep({ ...next, ...named, switches }, waiting === null ? before.rules : null);
  if (waiting === null) return () => pendingStore.take(revision + 1, false);
  return () => pendingStore.keep(waiting, null);
};

/**
 * What a trial goes back to, with a change made in it as well. What the change would remove may be there in the trial alone.
 * Throws {@link Refused} where it cannot be made in both.
 */
const rebased = (
  old: State,
  { switches, edit }: Pick<Change, "switches" | "edit">,
  { waiting, nowMs }: { waiting: StoredPending; nowMs: number },
): State => {
  const next = { ...old.switches, ...switches };
  try {
    return { rules: edit?.(old.rules, "of a trial") ?? old.rules, switches: next };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 404) return { rules: old.rules, switches: next };
    const seconds = Math.max(1, Math.ceil((waiting.deadline - nowMs) / 1_000));
    throw new Refused(409, "CONFLICT", texts.notInTrial(waiting.by, seconds));
  }
};
