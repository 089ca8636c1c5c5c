import { sql } from "drizzle-orm";
import type { ActivityEntry } from "#api/core/activity.ts";
import type { BackupShelf } from "#api/core/backups.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { silentEvents } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import { forgetKeyCheck } from "#api/db/key-check.ts";
import { withoutTriggers } from "#api/db/transfer/load-tables.ts";
import { adoptChain, createActivityWriter, type FormerEnds } from "#api/modules/activity/index.ts";
import { findSchedule, forgetBackupRuns } from "#api/modules/backups/index.ts";
import type { Manifest } from "./archive/format.ts";
import type { KeyPlan } from "./restored-key.ts";
import { proveLog } from "./verify-backup.ts";

/** What was restored, and by which key it is to live; `box` is asked for only where there is a log to write to. */
type SettleInput = {
  manifest: Manifest;
  plan: KeyPlan;
  rows: number;
  box: () => SecretBox;
  clock: Clock;
  log: Log;
};

/** What has to be different in a restored installation, and the row about it. */
export const settleRestored = async (
  tx: Database,
  { manifest, plan, rows, clock, log, ...input }: SettleInput,
): Promise<{ ended: Tidied; dropped: DroppedSecrets | null }> => {
  const { createdAt, version, keyFingerprint } = manifest;
  const ended = await tidyRestored(tx);
  // Before the first start of a server there is neither a key nor a log.
  if (plan === "same" && keyFingerprint === null) return { ended, dropped: null };
  const box = input.box();
  const dropped = plan === "drop-secrets" ? await dropSecrets(tx, { box, clock, log }) : null;
  const words = [
    `Restored the backup of ${createdAt} (version ${version}, ${rows} rows)`,
    `${ended.sessions} sessions were ended`,
    `${ended.apiTokens} API tokens were revoked`,
    ...(dropped === null
      ? []
      : [
          `its key was lost: ${dropped.enterAgain.length} stored secrets were removed, the log has a new seal starting with activity ${dropped.log.headId}`,
        ]),
  ];
  const change =
    dropped === null
      ? {}
      : { before: { key: keyFingerprint, log: dropped.log }, after: { key: box.fingerprint } };
  const entry = { action: "Restored a backup", description: words.join("; "), ...change };
  await recordByOperator(tx, { box, clock, log, entry });
  return { ended, dropped };
};

/** What does not come back with a backup. `scheduledTo`: where backups go that are made by themselves; `null`: none are. */
export type Tidied = { sessions: number; links: number; apiTokens: number; scheduledTo: BackupShelf | null };

/**
 * Ends what must not live again: sessions, single-use links and API tokens, which may have been ended or used since the
 * backup was made, work that servers had under way, notes of backups that may lie elsewhere, and of copies in buckets, which may belong
 * to an installation that continues. The schedule of backups stays on: whether this is a copy or the installation itself after a
 * disaster no one here knows, and only of the latter no one would notice in time that it is no longer backed up.
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

/**
 * What went with a key that no one has any more: what to enter again, and how many emails had to be given up. `log` is where
 * the activity log ended under that key, and what was wrong with it.
 */
export type DroppedSecrets = {
  enterAgain: string[];
  mails: number;
  activities: number;
  log: FormerEnds & { fault: string | null };
};

/**
 * Removes everything that lies under a lost key, so that the next start's key counts. The activity log continues, sealed
 * under that, once its rows have been proven as far as that goes without the key: a fault is recorded in it for ever. What
 * still waited for its place in it is lost.
 */
const dropSecrets = async (
  tx: Database,
  { box, ...parts }: { box: SecretBox; clock: Clock; log: Log },
): Promise<DroppedSecrets> => {
  const settings = await tx.execute<{ name: string }>(sql`delete from setting_secrets returning name`);
  const plugins = await tx.execute<{ id: string }>(sql`delete from plugin_secrets returning id`);
  const mails = await tx.execute(sql`
    update mails set content = null, last_error = 'Restored without the key of its content',
      status = case when status = 'waiting' then 'dead' else status end
    where content is not null`);
  const [inbox] = await tx.execute<{ rows: number }>(sql`select count(*)::int as rows from activity_inbox`);
  await withoutTriggers(tx, { table: "activity_inbox", event: "truncate" }, async () => {
    await tx.execute(sql`truncate activity_inbox`);
  });
  await forgetKeyCheck(tx);
  const { fault } = await proveLog(tx, { ...parts, box: null });
  const ends = await adoptChain(tx, { box, fault });
  return {
    enterAgain: [...settings.map(({ name }) => name), ...plugins.map(({ id }) => `plugin ${id}`)].sort(),
    mails: mails.count,
    activities: inbox?.rows ?? 0,
    log: { ...ends, fault },
  };
};

/**
 * Leaves a row for the activity log about what the operator did to the installation as a whole while no server ran on it: the
 * next start, or the next proof, gives it its place.
 */
export const recordByOperator = async (
  tx: Database,
  {
    entry,
    ...parts
  }: {
    box: SecretBox;
    clock: Clock;
    log: Log;
    entry: Pick<ActivityEntry, "action" | "description" | "before" | "after">;
  },
): Promise<void> => {
  const { recorder } = createActivityWriter({ ...parts, db: tx, events: silentEvents });
  await recorder.record(tx, {
    entry: { type: "admin_action", severity: "high", ...entry },
    source: { actor: { kind: "operator" }, requestId: null, ip: "local", userAgent: null },
    at: parts.clock.now(),
  });
};
