import type { Services } from "#api/core/context.ts";
import { createRounds } from "#api/core/timing.ts";
import { cleanUpBySystem } from "./clean-up-activity.ts";
import { giveBackTurn, readRetentionDays, takeTurn } from "./retention-store.ts";

/** Removes activities that are older than the setting says. Each process may have one; they take turns. */
export type RetentionWorker = {
  /** Looks now, and then every hour. */
  start(): void;
  /** Cleans up unless somebody did within a day, or all is to be kept. */
  look(): Promise<void>;
  /** Ends a clean-up behind the batch under way; the rest waits for the next. */
  stop(): Promise<void>;
};

const lookMs = 60 * 60 * 1000;
// Less than a day, so that looks every hour do not make it an hour later each day.
const turnMs = 23.5 * 60 * 60 * 1000;

/** Makes a worker that rests until `start`. */
export const createRetentionWorker = (services: Services): RetentionWorker => {
  const { db, clock, log } = services;
  let isStopping = false;

  const cleanUp = async (): Promise<void> => {
    const days = await readRetentionDays(db);
    if (days === null || isStopping) return;
    const now = clock.now();
    if (!(await takeTurn(db, { now, since: new Date(now.getTime() - turnMs) }))) return;
    try {
      await cleanUpBySystem(services, { days, shouldStop: () => isStopping });
    } catch (error) {
      await giveBackTurn(db, now);
      throw error;
    }
  };

  const complaint = "old activities could not be removed yet";
  const rounds = createRounds({ log, everyMs: lookMs, round: cleanUp, complaint });
  return {
    start: () => rounds.start(),
    look: rounds.look,
    stop: () => {
      isStopping = true;
      return rounds.stop();
    },
  };
};
