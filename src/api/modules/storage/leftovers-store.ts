import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { storedObjectLeftovers } from "#api/db/schema.ts";

/** A copy in a bucket that is to be removed: not before `removeAfter`, while somebody may still be writing it. */
export type Leftover = typeof storedObjectLeftovers.$inferSelect;

/** Notes a copy as one that no object needs. */
export const noteLeftover = async (db: Database, leftover: Leftover): Promise<void> => {
  const { removeAfter } = leftover;
  await db
    .insert(storedObjectLeftovers)
    .values(leftover)
    .onConflictDoUpdate({
      target: [storedObjectLeftovers.bucket, storedObjectLeftovers.name],
      set: { removeAfter },
    });
};

/** What may be removed from a bucket now, the oldest first. */
export const selectLeftovers = (
  db: Database,
  { bucket, now, limit }: { bucket: string; now: Date; limit: number },
): Promise<Leftover[]> =>
  db
    .select()
    .from(storedObjectLeftovers)
    .where(and(eq(storedObjectLeftovers.bucket, bucket), lte(storedObjectLeftovers.removeAfter, now)))
    .orderBy(asc(storedObjectLeftovers.removeAfter))
    .limit(limit);

/** Forgets what has been removed. */
export const forgetLeftover = async (
  db: Database,
  { bucket, name }: Pick<Leftover, "bucket" | "name">,
): Promise<void> => {
  await db
    .delete(storedObjectLeftovers)
    .where(and(eq(storedObjectLeftovers.bucket, bucket), eq(storedObjectLeftovers.name, name)));
};

/** Whether objects or leftovers are still in a bucket. */
export const isBucketNeeded = async (db: Database, bucket: string): Promise<boolean> => {
  const [row] = await db.execute<{ needed: boolean }>(sql`
    select exists (select 1 from stored_objects where bucket = ${bucket})
      or exists (select 1 from stored_object_leftovers where bucket = ${bucket}) as needed`);
  return row?.needed === true;
};
