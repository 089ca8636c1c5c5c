import { sql } from "drizzle-orm";
import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { forgetKeyCheck } from "#api/db/key-check.ts";
import { withoutTriggers } from "#api/db/transfer/load-tables.ts";
import { adoptChain, type FormerEnds } from "#api/modules/activity/index.ts";
import { proveLog } from "./prove-log.ts";

/**
 * What went with a key that nobody has any more: what to enter again, and how many mails had to be given up. `log` is where
 * the activity log ended under that key, and what was wrong with it.
 */
export type DroppedSecrets = {
  enterAgain: string[];
  mails: number;
  activities: number;
  log: FormerEnds & { fault: string | null };
};

/**
 * Removes everything that lies under a lost key, so that the next start's key counts. The activity log goes on, sealed
 * under that, once its rows have been proven as far as that goes without the key: a fault is noted in it for ever. What
 * still waited for its place in it is lost.
 */
export const dropSecrets = async (
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
