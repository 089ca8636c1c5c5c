import { AppError } from "#api/core/app-error.ts";
import type { BackupRun } from "#api/core/backups.ts";
import { isAhead } from "#api/core/clock.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { createRounds } from "#api/core/timing.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { BackupSchedule } from "./contract.ts";
import { surplusBackups, turnTaken } from "./schedule.ts";
import {
  findLastBackup,
  findSchedule,
  findScheduled,
  findTurn,
  forgetScheduled,
  restartSchedule,
  startSchedule,
  takeBackupTurn,
} from "./store.ts";

/** Makes backups when the schedule says so. Each process may have one; one of them gets each turn. */
export type BackupWorker = {
  /** Removes what a killed server left behind, and looks now and then every minute. */
  start(): void;
  /** Makes a backup if one is due, and removes what is no longer kept. Never rejects. */
  look(): Promise<void>;
  /** Breaks off a backup under way, whoever asked for it; a scheduled one is begun again after the next start. */
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
  let isStopping = false;
  let failures = 0;
  let retryAt: Date | null = null;

  const retryLater = (): void => {
    failures += 1;
    if (failures <= mostRetries) retryAt = new Date(clock.now().getTime() + retryMs);
  };

  const isDue = async (schedule: BackupSchedule): Promise<boolean> => {
    const [turn, now] = [await findTurn(db), clock.now()];
    if (turn === null) {
      await startSchedule(db, now);
      return false;
    }
    if (isAhead(turn, now)) {
      // Nothing would be made until the clock is there again. Not at once either: a clock that is behind for a moment
      // would give the schedule one more each time.
      if (await restartSchedule(db, { before: turn, now }))
        log.warn("the clock was ahead or is behind: the schedule of backups starts from now", { turn });
      if (retryAt !== null) retryAt = now;
      return false;
    }
    const taken = turnTaken(schedule, { after: turn, now });
    if (taken !== null && (await takeBackupTurn(db, { before: turn, taken }))) {
      failures = 0;
      return true;
    }
    const isMissed = (retryAt !== null && retryAt <= now) || wasStopped(await backups.run());
    if (!isMissed) return false;
    // Another server may have seen to it.
    const last = await findLastBackup(db);
    return last === null || isAhead(new Date(last.at), now) || new Date(last.at) < turn;
  };

  const tidy = async (schedule: BackupSchedule): Promise<void> => {
    const [{ backups: all }, made] = [await backups.list(), await findScheduled(db)];
    // In a bucket those of an installation lie there too that this one was restored from, or that was restored from this one.
    const isOwn = (name: string): boolean => isScheduledName(name) && made.has(name);
    const own = all.filter(({ name, place }) => place === schedule.place && isOwn(name));
    for (const { place, name } of surplusBackups(own, schedule, clock.now())) {
      await backups.remove(place, name);
      await forgetScheduled(db, name);
      log.info("an old backup was removed", { name, place });
    }
  };

  const work = async (): Promise<void> => {
    const schedule = await findSchedule(db);
    if (!schedule.isEnabled || isStopping || !(await isDue(schedule))) return;
    retryAt = null;
    const { place, recipients } = schedule;
    const order = { place, recipients, isScheduled: true, isWithKey: false };
    const run = await backups.claim(db, order).catch((error) => {
      retryLater();
      throw error;
    });
    const { state, error } = await backups.make(run, order);
    if (state === "done") return tidy(schedule);
    if (error !== backupTexts.cancelled) retryLater();
  };

  const complaint = "the schedule of backups could not be followed";
  const rounds = createRounds({ log, everyMs: lookMs, round: work, complaint });
  const sweep = (): Promise<void> =>
    backups.sweep().catch((error) => {
      log.warn("files left by interrupted backups could not be removed", { error: describeError(error) });
    });
  return {
    start: () => rounds.start(sweep),
    look: rounds.look,
    stop: async () => {
      isStopping = true;
      // Ends the making under way, which the round waits for.
      await Promise.all([backups.stop(), rounds.stop()]);
    },
  };
};

/** Whether a scheduled making ended because its server was stopped: after an upgrade, say, it is begun again. */
const wasStopped = (run: BackupRun | null): boolean =>
  run?.isScheduled === true && run.state === "failed" && run.error === new AppError("SHUTTING_DOWN").message;
