import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";

/** Resolves as `work` does, or throws when that takes longer. The work itself continues. */
export const within = async <T>(limitMs: number, work: PromiseLike<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      const late = new Error(`no answer within ${limitMs} ms`);
      // The timer's stack says nothing, and a busy machine is not a fault of the program.
      late.stack = "";
      reject(late);
    };
    // In two steps: after a pause of the process the first timer fires before an answer that is waiting is read.
    timer = setTimeout(
      () => {
        timer = setTimeout(giveUp, lastStepMs);
      },
      Math.max(0, limitMs - lastStepMs),
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};

const lastStepMs = 100;

/** Resolves in the next turn of the event loop: what has come in meanwhile, from the database or from visitors, is seen to first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs `work` and answers no sooner than after `floorMs`, failures included: how long the work took, and with it what
 * was found, does not show in the time of the answer.
 */
export const atLeast = async <T>(floorMs: number, work: () => Promise<T>): Promise<T> => {
  const floor = Bun.sleep(floorMs);
  try {
    return await work();
  } finally {
    await floor;
  }
};

/**
 * Makes `work` run once at a time, however many ask: who asks while it runs may know of something newer and gets the next
 * run, one for all of them. What is returned resolves or rejects as a run that began after the call.
 */
export const shareRuns = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const run = work();
      // A failure goes to those who wait for this run, not to those who wait for the next.
      running = run.catch(() => {});
      return run;
    });
    return next;
  };
};

/** Work that is done again and again, one round at a time. */
type Rounds = {
  /** Makes a round now, after `first`, and then every so often. */
  start(first?: () => Promise<void>): void;
  /** Makes a round behind those under way, unless it has been stopped. Never rejects. */
  look(): Promise<void>;
  /** Begins no further round, and resolves when the one under way has ended. */
  stop(): Promise<void>;
};

type RoundsOptions = {
  log: Log;
  everyMs: number;
  round: () => Promise<void>;
  /** What the log says when a round fails; the next one tries again. */
  complaint: string;
};

/** Prepares rounds, which begin with `start`. */
export const createRounds = ({ log, everyMs, round, complaint }: RoundsOptions): Rounds => {
  let poll: ReturnType<typeof setInterval> | undefined;
  let isStopping = false;
  let underWay: Promise<void> = Promise.resolve();

  const look = (): Promise<void> => {
    underWay = underWay
      .then(() => (isStopping ? undefined : round()))
      .catch((error) => {
        log.warn(complaint, { error: describeError(error) });
      });
    return underWay;
  };

  return {
    start: (first) => {
      poll = setInterval(look, everyMs);
      if (first) underWay = first();
      void look();
    },
    look,
    stop: async () => {
      isStopping = true;
      clearInterval(poll);
      await underWay;
    },
  };
};

/**
 * Gives back the memory that only the start needed, code above all, in the first five seconds in which this process has
 * next to nothing to do: one that is busy keeps what it has compiled. Returns what calls that off.
 */
export const shrinkWhenIdle = (): (() => void) => {
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (user + system > calmUs) return;
    clearInterval(timer);
    Bun.gc(true);
    Bun.shrink();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
};

const lookMs = 5_000;
const calmUs = 250_000;
