/** Tasks that have no result yet, each with its deadline. */
type Tasks = {
  readonly count: number;
  open(): number[];
  add(id: number, limitMs: number): void;
  /** Whether the task was still open; it is closed then. */
  finish(id: number): boolean;
  /** Drops all of them. */
  clear(): void;
};

/** `onLate` is called with each open task whose deadline has passed. */
export const createTasks = (onLate: (id: number) => void): Tasks => {
  const deadlines = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  // One timer for all: almost every task is done long before it would need its own.
  const arm = (): void => {
    timerAt = Math.min(...deadlines.values());
    clearTimeout(timer);
    if (deadlines.size > 0) timer = setTimeout(check, Math.max(1, timerAt - performance.now()));
  };

  const check = (): void => {
    const now = performance.now();
    const late = [...deadlines].filter(([, at]) => at <= now);
    for (const [id] of late) {
      onLate(id);
      deadlines.delete(id);
    }
    arm();
  };

  return {
    get count() {
      return deadlines.size;
    },
    open: () => [...deadlines.keys()],
    add: (id, limitMs) => {
      const at = performance.now() + limitMs;
      deadlines.set(id, at);
      if (at < timerAt) arm();
    },
    finish: (id) => deadlines.delete(id),
    clear: () => {
      deadlines.clear();
      clearTimeout(timer);
    },
  };
};

/** A limit on how much is allowed in a period. */
export type Allowance = {
  /** Takes some of it; `false`, without taking any, if it is used up. */
  take(amount: number): boolean;
  /** Milliseconds until all of it is available again. */
  restMs(): number;
};

/** Allows `most` in each window of `windowMs`. */
export const createAllowance = (most: number, windowMs: number): Allowance => {
  let startedAt = performance.now();
  let left = most;
  return {
    take: (amount) => {
      const now = performance.now();
      if (now - startedAt >= windowMs) {
        startedAt = now;
        left = most;
      }
      if (amount > left) return false;
      left -= amount;
      return true;
    },
    restMs: () => Math.max(0, startedAt + windowMs - performance.now()),
  };
};
