/** The page's clock: its longer timers wait until a test lets time pass. */
export type HeldTimers = {
  /** Lets so much time pass for timers of a second and more, in their order. */
  pass(ms: number): Promise<void>;
  stop(): void;
};

type Held = { dueMs: number; everyMs: number | null; run: () => void };

/** How long a test waits for what it expects: a time that no page waits for, so that it alone is not held. */
export const patienceMs = 2_999;

/** What a test would have to wait for; whatever is shorter runs in real time. */
const heldFromMs = 1000;

/** Replaces the global timers until `stop`. */
export const startHeldTimers = (): HeldTimers => {
  const held = new Map<number, Held>();
  let nowMs = 0;
  let last = 0;
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

  const hold = (handler: unknown, ms: number, isRepeated: boolean): number => {
    if (typeof handler !== "function") throw new TypeError("a timer needs a function to call");
    last -= 1;
    held.set(last, { dueMs: nowMs + ms, everyMs: isRepeated ? ms : null, run: () => handler() });
    return last;
  };
  const setting =
    (real: typeof setTimeout | typeof setInterval, isRepeated: boolean) =>
    (handler: () => void, ms = 0) =>
      ms >= heldFromMs && ms !== patienceMs ? hold(handler, ms, isRepeated) : real(handler, ms);
  const clear = (timer?: unknown) => {
    if (typeof timer === "number" && held.delete(timer)) return;
    clearTimeout(asTimer(timer));
  };
  // No spies: the library that waits for the page takes those for a clock of its own.
  Object.assign(globalThis, {
    setTimeout: setting(setTimeout, false),
    setInterval: setting(setInterval, true),
    clearTimeout: clear,
    clearInterval: clear,
  });

  const nextDue = (untilMs: number) =>
    [...held].filter(([, { dueMs }]) => dueMs <= untilMs).sort(([, a], [, b]) => a.dueMs - b.dueMs)[0];

  return {
    pass: async (ms) => {
      // What the page has just drawn begins to wait a moment later.
      await effectsDone();
      const untilMs = nowMs + ms;
      for (let due = nextDue(untilMs); due !== undefined; due = nextDue(untilMs)) {
        const [id, { dueMs, everyMs, run }] = due;
        nowMs = dueMs;
        if (everyMs === null) held.delete(id);
        else held.set(id, { dueMs: dueMs + everyMs, everyMs, run });
        run();
      }
      nowMs = untilMs;
      await effectsDone();
      // What the page does at the next turn is done as well.
      await new Promise<void>((resolve) => setTimeout(resolve));
    },
    stop: () => {
      Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
    },
  };
};

/** React runs effects from `setImmediate`, in slices when there are many. */
export const effectsDone = async (): Promise<void> => {
  for (let slice = 0; slice < 3; slice += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Timers are numbers to a page and objects to Bun; either is only ever handed back. */
const asTimer = (timer: unknown) => timer as number | undefined;
