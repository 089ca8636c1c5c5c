import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

/** A table, and what is done to it. */
export type GuardedChange = { table: string; event: "insert" | "update" | "truncate" };

/**
 * Runs `work` while the triggers of the product do not answer to a change of a table. The table's owner may do that,
 * unlike `session_replication_role`, which a hosted server grants to nobody. It belongs to the transaction: whatever happens, nobody
 * else sees the table unguarded, and each trigger is afterwards as it was.
 */
export const withoutTriggers = async (
  tx: Database,
  change: GuardedChange,
  work: () => Promise<void>,
): Promise<void> => {
  const table = sql.identifier(change.table);
  const triggers = await tx.execute<{ name: string; state: string }>(sql`
    select tgname as name, tgenabled as state from pg_trigger
    where tgrelid = ${`public.${change.table}`}::text::regclass and not tgisinternal and tgenabled <> 'D'
      and (tgtype & ${bits[change.event]}::int) <> 0`);
  for (const { name } of triggers)
    await tx.execute(sql`alter table ${table} disable trigger ${sql.identifier(name)}`);
  await work();
  for (const { name, state } of triggers)
    await tx.execute(
      sql`alter table ${table} enable ${sql.raw(words[state] ?? "")} trigger ${sql.identifier(name)}`,
    );
};

// Of pg_trigger.tgtype.
const bits = { insert: 4, update: 16, truncate: 32 } as const;

const words: Record<string, string> = { A: "always", R: "replica" };
