import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { type BackupSchedule, nextTurn, surplusBackups } from "./schedule.ts";
import { findSchedule, findTurn, startSchedule, takeBackupTurn } from "./store.ts";

/** Makes backups when the schedule says so. Each process may have one; one of them gets each turn. */
export type BackupWorker = {
  /** Removes what a killed server left behind, and looks now and then every minute. */
  start(): void;
  /** Makes a backup if one is due, and removes what is no longer kept. Never rejects. */
  look(): Promise<void>;
  stop(): Promise<void>;
};

const lookMs = 60_000;
// A failure may have gone by then; the schedule's next turn may be a day away.
const retryMs = 15 * 60_000;
const mostRetries = 3;

/** Makes a worker that rests until `start`. `isScheduledName` tells the schedule's own backups from others. */
export const createBackupWorker = (
  services: Pick<Services, "db" | "clock" | "log" | "backups">,
  isScheduledName: (name: string) => boolean,
): BackupWorker => {
  const { db, clock, log, backups } = services;
  let poll: ReturnType<typeof setInterval> | undefined;
  let isStopping = false;
  let underWay: Promise<void> = Promise.resolve();
  let failures = 0;
  let retryAt: Date | null = null;

  const isDue = async (schedule: BackupSchedule): Promise<boolean> => {
    const [turn, now] = [await findTurn(db), clock.now()];
    if (turn === null) {
      await startSchedule(db, now);
      return false;
    }
    if (nextTurn(schedule, turn) <= now && (await takeBackupTurn(db, { before: turn, now }))) {
      failures = 0;
      return true;
    }
    return retryAt !== null && retryAt <= now;
  };

  const tidy = async (schedule: BackupSchedule): Promise<void> => {
    const { backups: all } = await backups.list();
    const own = all.filter(({ name, place }) => place === schedule.place && isScheduledName(name));
    for (const { place, name } of surplusBackups(own, schedule, clock.now())) {
      await backups.remove(place, name);
      log.info("an old backup was removed", { name, place });
    }
  };

  const work = async (): Promise<void> => {
    const schedule = await findSchedule(db);
    if (!schedule.isEnabled || isStopping || !(await isDue(schedule))) return;
    retryAt = null;
    const { place, recipients } = schedule;
    const order = { place, recipients, isScheduled: true, isWithKey: false };
    const { state, error } = await backups.make(await backups.claim(db, order), order);
    if (state === "done") return tidy(schedule);
    if (error === backupTexts.cancelled) return;
    failures += 1;
    if (failures <= mostRetries) retryAt = new Date(clock.now().getTime() + retryMs);
  };

  const look = (): Promise<void> => {
    underWay = underWay.then(work).catch((error) => {
      log.warn("no backup could be begun", { error: describeError(error) });
    });
    return underWay;
  };

  return {
    start: () => {
      poll = setInterval(look, lookMs);
      underWay = backups.sweep().catch((error) => {
        log.warn("what is left of broken-off backups stays", { error: describeError(error) });
      });
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
