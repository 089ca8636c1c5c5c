import { sql } from "drizzle-orm";
import type { BackupShelf } from "#api/core/backups.ts";
import type { Database } from "#api/core/database.ts";
import { findSchedule, forgetBackupRuns } from "#api/modules/backups/index.ts";

/** What does not come back with a backup. `scheduledTo`: where backups go that are made by themselves; `null`: none are. */
export type Tidied = { sessions: number; links: number; apiTokens: number; scheduledTo: BackupShelf | null };

/**
 * Ends what must not live again: sessions, single-use links and API tokens, which may have been ended or used since the
 * backup was made, work that servers had under way, notes of backups that may lie elsewhere, and of copies in buckets, which may belong
 * to an installation that goes on. The schedule of backups stays on: whether this is a copy or the installation itself after a
 * disaster nobody here knows, and only of the latter nobody would notice in time that it is no longer backed up.
 */
export const tidyRestored = async (tx: Database): Promise<Tidied> => {
  const removed = async (table: string): Promise<number> => {
    const result = await tx.execute(sql`delete from ${sql.identifier(table)}`);
    return result.count;
  };
  const sessions = await removed("sessions");
  const links = await removed("tokens");
  const revoked = await tx.execute(sql`update api_tokens set revoked_at = now() where revoked_at is null`);
  await removed("plugin_replicas");
  await removed("stored_object_leftovers");
  await tx.execute(
    sql`update plugin_jobs set leased_until = null, leased_by = null where leased_until is not null`,
  );
  await tx.execute(sql`update mails set leased_until = null where leased_until is not null`);
  await forgetBackupRuns(tx);
  const { isEnabled, place } = await findSchedule(tx);
  return { sessions, links, apiTokens: revoked.count, scheduledTo: isEnabled ? place : null };
};
