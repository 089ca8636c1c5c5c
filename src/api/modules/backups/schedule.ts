import { isAhead } from "#api/core/clock.ts";
import type { BackupSchedule } from "./contract.ts";

/** As it is before anyone has set it. */
export const noSchedule: BackupSchedule = {
  isEnabled: false,
  every: { dailyAt: "03:00" },
  place: "folder",
  keepLast: 7,
  keepDays: null,
  recipients: [],
};

/** The stored form, with what an older version did not know. */
export const readSchedule = (value: unknown): BackupSchedule => ({ ...noSchedule, ...Object(value) });

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** When the next backup is due after a turn. */
export const nextTurn = ({ every }: Pick<BackupSchedule, "every">, after: Date): Date => {
  if ("hours" in every) return new Date(after.getTime() + every.hours * hourMs);
  const [hours = 0, minutes = 0] = every.dailyAt.split(":").map(Number);
  const day = new Date(after);
  day.setUTCHours(hours, minutes, 0, 0);
  return day.getTime() > after.getTime() ? day : new Date(day.getTime() + dayMs);
};

/**
 * The turn that is to be taken after another one: when it was planned, so that looking a little late puts off none that follow;
 * `now` where more than one was missed, because one backup makes up for all of them. `null`: it is not due yet.
 */
export const turnTaken = (
  schedule: Pick<BackupSchedule, "every">,
  { after, now }: { after: Date; now: Date },
): Date | null => {
  const planned = nextTurn(schedule, after);
  if (planned > now) return null;
  return nextTurn(schedule, planned) <= now ? now : planned;
};

/**
 * Of the schedule's backups, newest first, those that are no longer kept. One from the future counts as older than all
 * others, and has no age in days: whatever the clock was then and is now, it was made before the one that was made just now. So
 * neither a clock that was ahead keeps the true ones from being kept, nor one that is behind loses more than the oldest.
 */
export const surplusBackups = <T extends { createdAt: Date }>(
  backups: readonly T[],
  { keepLast, keepDays }: Pick<BackupSchedule, "keepLast" | "keepDays">,
  now: Date,
): T[] =>
  [
    ...backups.filter(({ createdAt }) => !isAhead(createdAt, now)),
    ...backups.filter(({ createdAt }) => isAhead(createdAt, now)),
  ].filter(({ createdAt }, at) => {
    if (at === 0) return false;
    const isBehind = keepLast !== null && at >= keepLast;
    return isBehind || (keepDays !== null && now.getTime() - createdAt.getTime() > keepDays * dayMs);
  });
