import type { AccountSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";
import type { Role } from "#contract/users.ts";

/** How long a session lasts after its last use, and after its sign-in however much it is used. */
export type SessionTimes = { idleMs: number; mostMs: number };

/** The session times of a role, as the settings are now. */
export const sessionTimes = (
  role: Role,
  { adminIdleMinutes, adminSessionHours }: AccountSettings,
): SessionTimes =>
  role === "admin"
    ? { idleMs: adminIdleMinutes * 60_000, mostMs: adminSessionHours * 3_600_000 }
    : { idleMs: limits.sessionMs, mostMs: limits.sessionMostMs };

/** When a session that began at `createdAt` ends however much it is used. */
export const lastEnd = (createdAt: Date, { mostMs }: SessionTimes): Date =>
  new Date(createdAt.getTime() + mostMs);

/** When a session ends that is used now and then no more. */
export const endAfterUse = (createdAt: Date, now: Date, times: SessionTimes): Date =>
  earliest(new Date(now.getTime() + times.idleMs), lastEnd(createdAt, times));

/** The instants of a session's row that decide when it ends. */
type SessionInstants = { createdAt: Date; lastUsedAt: Date; expiresAt: Date };

/**
 * When a session ends. `expiresAt` follows from the settings at its last use: shorter ones count immediately, and longer ones bring
 * no ended session back.
 */
export const sessionEnd = (
  { createdAt, lastUsedAt, expiresAt }: SessionInstants,
  times: SessionTimes,
): Date => earliest(expiresAt, endAfterUse(createdAt, lastUsedAt, times));

const earliest = (one: Date, other: Date): Date => (one < other ? one : other);
