import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { sessions, users } from "#api/db/schema.ts";

/** Those of these sessions, given and answered by hash, that have not ended and are an admin's. */
export const liveAdminSessions = async (
  db: Database,
  hashes: string[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .select({ hash: sessions.tokenHash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        inArray(sessions.tokenHash, hashes),
        gt(sessions.expiresAt, now),
        eq(users.role, "admin"),
        isNull(users.disabledAt),
      ),
    );
  return new Set(rows.map(({ hash }) => hash));
};
