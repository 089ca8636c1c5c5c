import type { Database } from "#api/core/database.ts";
import { isAhead } from "#api/core/is-ahead.ts";
import { nextTurn } from "./schedule.ts";
import { findLastBackup, findSchedule, findScheduleStart } from "./store.ts";

/**
 * By when the schedule owes a whole backup, as counted from the last one or from when it was set; tries that failed do
 * not put it off, nor does what a clock noted that was ahead. `null` while there is no schedule.
 */
export const findBackupDue = async (db: Database, now: Date): Promise<Date | null> => {
  const schedule = await findSchedule(db);
  if (!schedule.isEnabled) return null;
  const [last, start] = [await findLastBackup(db), await findScheduleStart(db)];
  const known = [last === null ? null : new Date(last.at), start].filter((moment) => moment !== null);
  if (known.length === 0) return null;
  const past = known.filter((moment) => !isAhead(moment, now)).map((moment) => moment.getTime());
  // The worker counts from now then, too, with its next look.
  return nextTurn(schedule, past.length === 0 ? now : new Date(Math.max(...past)));
};
