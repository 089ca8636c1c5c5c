import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";

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
