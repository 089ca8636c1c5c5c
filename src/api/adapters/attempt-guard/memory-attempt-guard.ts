import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { AttemptBudget, AttemptGuard } from "#api/core/context.ts";

/** The guard of one process, with what another guard needs that keeps it at hand. */
type MemoryAttemptGuard = Omit<AttemptGuard, "spend"> & {
  /** As of {@link AttemptGuard}, at a moment of `clock.uptimeMs()`: now, unless given. */
  spend(budgets: AttemptBudget[], nowMs?: number): Promise<void>;
  /** Takes a place in every budget, waiting for the outcome of others; throws as `run` does. */
  enter(budgets: AttemptBudget[]): Promise<Leave>;
  /** Whether failures alone fill a budget. */
  isFull(budget: AttemptBudget): boolean;
  /** Forgets the failures of one budget up to a moment of `clock.uptimeMs()`. */
  clearUntil(budget: AttemptBudget, untilMs: number): void;
};

/**
 * Counts failures in this process. An attempt holds its place while it runs, so that any number of parallel attempts
 * has no more failures than the budget; one that finds all places held waits for the outcome of the others instead
 * of being refused, because theirs may be right.
 */
export const createMemoryAttemptGuard = (options: MemoryLedgerOptions): MemoryAttemptGuard => {
  const ledger = createMemoryLedger(options);
  const waiting = new Map<string, (() => void)[]>();

  const waitFor = async (key: string): Promise<void> => {
    const queue = waiting.get(key) ?? [];
    if (queue.length >= mostWaiting) throw tooBusy();
    waiting.set(key, queue);
    await new Promise<void>((resolve) => queue.push(resolve));
  };

  /** Resolves when `take` was called at a moment at which every budget had room: nothing comes between the look and it. */
  const whenRoom = async <T>(
    budgets: AttemptBudget[],
    take: (nowMs: number) => T,
    begunMs = options.clock.uptimeMs(),
  ): Promise<T> => {
    for (let nowMs = begunMs; ; nowMs = options.clock.uptimeMs()) {
      const found = ledger.look(budgets, nowMs);
      if (found === null) return take(nowMs);
      if (found.state === "full") throw tooMany(found.budget, found.waitMs);
      await waitFor(found.budget.key);
    }
  };

  const wake = (keys: string[]): void => {
    for (const key of keys) {
      const queue = waiting.get(key) ?? [];
      waiting.delete(key);
      // All of them look again: it depends on their other budgets whose turn it is.
      for (const resolve of queue) resolve();
    }
  };

  const hold = (budgets: AttemptBudget[]): Leave => {
    ledger.hold(budgets);
    return (hasFailed) => {
      ledger.release(budgets);
      if (hasFailed) ledger.count(budgets);
      wake(budgets.map(({ key }) => key));
    };
  };

  const enter = (budgets: AttemptBudget[]): Promise<Leave> => whenRoom(budgets, () => hold(budgets));

  return {
    run: runAttempt(enter),
    spend: (budgets, begunMs) => whenRoom(budgets, (nowMs) => ledger.count(budgets, nowMs), begunMs),
    clear: async (keys) => {
      ledger.clear(keys);
      wake(keys);
    },
    enter,
    isFull: ledger.isFull,
    clearUntil: ledger.clearUntil,
  };
};

/** How many keys with failures are remembered: those with room left and those without, `mostKeys` of each. */
type MemoryLedgerOptions = { clock: Clock; mostKeys?: number };

/** Failures and attempts under way of this process. Nothing in it waits, so a look and the step after it are one. */
type MemoryLedger = {
  /** What is in the way of an attempt: failures before attempts under way, the longest wait before shorter ones. */
  look(budgets: AttemptBudget[], nowMs?: number): Obstacle | null;
  /** Takes a place in every budget. */
  hold(budgets: AttemptBudget[]): void;
  /** Gives the places back. */
  release(budgets: AttemptBudget[]): void;
  /** Counts one failure against every budget. */
  count(budgets: AttemptBudget[], nowMs?: number): void;
  /** Whether failures alone fill a budget. */
  isFull(budget: AttemptBudget): boolean;
  /** Forgets failures. */
  clear(keys: string[]): void;
  /** Forgets the failures of one budget up to a moment of `clock.uptimeMs()`. */
  clearUntil(budget: AttemptBudget, untilMs: number): void;
  /** How many keys have failures. */
  size(): number;
};

// Some 25 MB of each, when every key is an ordinary address.
const defaultMostKeys = 100_000;

/**
 * Counts in memory, within a bound. Keys that are locked out stand apart from those that have room, so that a flood of
 * fresh keys frees no one, and measures by a clock that no one can set. Attempts under way are not bounded here: whoever
 * makes them is.
 */
export const createMemoryLedger = ({
  clock,
  mostKeys = defaultMostKeys,
}: MemoryLedgerOptions): MemoryLedger => {
  const held = new Map<string, number>();
  const open = createRecentMap<number[]>(mostKeys);
  const locked = createRecentMap<number[]>(mostKeys);

  /** Files a key where it belongs, as the one that was asked for last. */
  const file = ({ key, most }: AttemptBudget, failedAtMs: number[]): void => {
    open.delete(key);
    locked.delete(key);
    if (failedAtMs.length > 0) (failedAtMs.length < most ? open : locked).set(key, failedAtMs);
  };

  /** The failures of a key, without those that are out of the window. */
  const failuresOf = (budget: AttemptBudget, nowMs = clock.uptimeMs()): number[] => {
    const known = locked.get(budget.key) ?? open.get(budget.key);
    if (known === undefined) return [];
    const horizonMs = nowMs - budget.windowMs;
    const failedAtMs = known.filter((atMs) => atMs > horizonMs);
    file(budget, failedAtMs);
    return failedAtMs;
  };

  return {
    look: (budgets, nowMs = clock.uptimeMs()) => {
      let obstacle: Obstacle | null = null;
      for (const budget of budgets) {
        const failures = failuresOf(budget, nowMs);
        const waitMs = waitFor(budget, failures, nowMs);
        const isLonger = obstacle?.state !== "full" || waitMs > obstacle.waitMs;
        if (waitMs > 0 && isLonger) obstacle = { state: "full", budget, waitMs };
        if (obstacle === null && failures.length + (held.get(budget.key) ?? 0) >= budget.most)
          obstacle = { state: "busy", budget };
      }
      return obstacle;
    },
    hold: (budgets) => {
      for (const { key } of budgets) held.set(key, (held.get(key) ?? 0) + 1);
    },
    release: (budgets) => {
      for (const { key } of budgets) {
        const left = (held.get(key) ?? 0) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      }
    },
    count: (budgets, nowMs = clock.uptimeMs()) => {
      for (const budget of budgets) file(budget, [...failuresOf(budget, nowMs), nowMs]);
    },
    isFull: (budget) => failuresOf(budget).length >= budget.most,
    clearUntil: (budget, untilMs) =>
      file(
        budget,
        failuresOf(budget).filter((atMs) => atMs > untilMs),
      ),
    clear: (keys) => {
      for (const key of keys) {
        open.delete(key);
        locked.delete(key);
      }
    },
    size: () => open.size + locked.size,
  };
};

/** Milliseconds until a budget that is full of failures has room; 0 when it has. */
const waitFor = ({ most, windowMs }: AttemptBudget, failures: number[], nowMs: number): number => {
  const leavesAtMs = failures[failures.length - most];
  return leavesAtMs === undefined ? 0 : leavesAtMs + windowMs - nowMs;
};

/** A map of bounded size that forgets what was set longest ago. */
type RecentMap<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  readonly size: number;
};

/**
 * Holds `most` entries at most, the latest half of them for sure. It forgets in two generations: taking the oldest entry
 * out of a `Map` one by one takes ever longer, because its iterators walk over what was deleted before.
 */
export const createRecentMap = <T>(most: number): RecentMap<T> => {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      old.delete(key);
      young.set(key, value);
      if (young.size < most / 2) return;
      old = young;
      young = new Map();
    },
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
};

/** A guard that tells others. */
export type ClosableAttemptGuard = AttemptGuard & {
  /** Resolves when what is on its way has been sent; the process is about to end. */
  close(): Promise<void>;
};

/** Why an attempt may not begin: failures fill a budget, or attempts under way do, whose outcome is open. */
export type Obstacle =
  | { state: "full"; budget: AttemptBudget; waitMs: number }
  | { state: "busy"; budget: AttemptBudget };

/** Tells the outcome of an attempt that holds its places. To be called once. */
export type Leave = (hasFailed: boolean) => void;

/** Runs `work` between entering and leaving: see {@link AttemptGuard}. */
export const runAttempt =
  (enter: (budgets: AttemptBudget[]) => Promise<Leave>): AttemptGuard["run"] =>
  async (budgets, work, isFailure) => {
    const leave = await enter(budgets);
    let hasFailed = false;
    try {
      return await work();
    } catch (error) {
      hasFailed = isFailure(error);
      throw error;
    } finally {
      leave(hasFailed);
    }
  };

/** More than ever try at once on one account wait for each other; whoever comes after them is told to come back. */
export const mostWaiting = 64;

/** The refusal of an attempt for which a budget has no room for `waitMs`. */
export const tooMany = ({ message }: AttemptBudget, waitMs: number): AppError => {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("RATE_LIMITED", message(retryAfterS), { retryAfterS });
};

/** The refusal of an attempt that would wait for too many others, or has waited for too long. */
export const tooBusy = (): AppError => new AppError("BUSY", undefined, { retryAfterS: 1 });
