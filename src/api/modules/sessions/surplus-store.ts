import { count, gt, inArray, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { knownDevices, sessions } from "#api/db/schema.ts";
import { limits } from "#contract/limits.ts";

/**
 * Ends all sessions of each user but the hundred last used; resolves to the users whose sessions these were. Publish
 * `sessions-ended` for each.
 */
export const removeSurplusSessions = (db: Database): Promise<string[]> =>
  removeSurplus(db, sessions, limits.sessionsByUser);

/** Forgets all browsers of each user but the hundred last used. */
export const removeSurplusDevices = async (db: Database): Promise<void> => {
  await removeSurplus(db, knownDevices, limits.devicesByUser);
};

const removeSurplus = async (
  db: Database,
  table: typeof sessions | typeof knownDevices,
  kept: number,
): Promise<string[]> => {
  const { tokenHash, userId, lastUsedAt } = table;
  const crowded = db.select({ userId }).from(table).groupBy(userId).having(gt(count(), kept));
  const ranked = db
    .select({
      tokenHash,
      place:
        sql<number>`row_number() over (partition by ${userId} order by ${lastUsedAt} desc, ${tokenHash})`.as(
          "place",
        ),
    })
    .from(table)
    .where(inArray(userId, crowded))
    .as("ranked");
  const beyond = db.select({ tokenHash: ranked.tokenHash }).from(ranked).where(gt(ranked.place, kept));
  // Rows that somebody is working on are left for the next time: waiting for them could end in a deadlock.
  const surplus = db
    .select({ tokenHash })
    .from(table)
    .where(inArray(tokenHash, beyond))
    .for("update", { skipLocked: true });
  const rows = await db.delete(table).where(sql`${tokenHash} in (${surplus})`).returning({ userId });
  return [...new Set(rows.map((row) => row.userId))];
};
