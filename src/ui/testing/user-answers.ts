import type { ListedUser, UserDetail, UserList } from "#api/modules/users/contract.ts";
import { people } from "./people.ts";

/** Grace Hopper, as a list shows her. */
export const grace: ListedUser = { ...people.user, disabled: false, lastSeenAt: "2026-10-02T10:00:00.000Z" };

/** An answer with one page of a list, of `total` rows in all. */
export const pageOf = <Row>(
  users: Row[],
  total = users.length,
): { data: { users: Row[]; pagination: UserList["pagination"] } } => ({
  data: { users, pagination: { total, totalIsEstimate: false, limit: 25, offset: 0 } },
});

/** Everything about Grace Hopper, with what a test needs changed. */
export const graceInDetail = (change: Partial<UserDetail> = {}): UserDetail => ({
  ...grace,
  hasPassword: true,
  isLastAdmin: false,
  sessionCount: 1,
  sessions: [
    {
      id: "s1",
      ip: "203.0.113.7",
      userAgent: null,
      device: "Firefox on Linux",
      createdAt: "2026-10-01T09:05:00.000Z",
      lastUsedAt: "2026-10-02T10:00:00.000Z",
      expiresAt: "2026-11-01T10:00:00.000Z",
    },
  ],
  ...change,
});
