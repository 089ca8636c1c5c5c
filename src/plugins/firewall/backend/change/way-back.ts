import type { Rules } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import type { Switches } from "../wire.ts";
import { isRisky, type State } from "./exposure.ts";
import type { PendingStore, StoredPending } from "./pending-store.ts";
import { Refused } from "./refused.ts";
import { alsoNamed, extended } from "./trial.ts";

/** Who changes something; the operator has neither an id nor an address. */
export type Editor = { id: string | null; name: string; ip: string | null };

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
  edit?: (rules: Rules) => Rules;
};

/** A change that is about to be made, and the one that waits already. */
export type Step = {
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
    return { rules: edit?.(old.rules) ?? old.rules, switches: next };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 404) return { rules: old.rules, switches: next };
    const seconds = Math.max(1, Math.ceil((waiting.deadline - nowMs) / 1_000));
    throw new Refused(409, "CONFLICT", texts.notInTrial(waiting.by, seconds));
  }
};
