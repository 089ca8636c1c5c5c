import { eq, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { databaseError } from "#api/db/errors.ts";
import { installation } from "#api/db/schema.ts";
import type { SupportFacts, SupportPart } from "./contract.ts";

/** What the database tells about an installation, without people and secrets. A part that cannot be read says why. */
export const selectSupportFacts = async (db: Database): Promise<SupportFacts> => {
  const read = async (query: ReturnType<typeof sql>): Promise<SupportPart> => {
    try {
      return { rows: [...(await db.execute(query))], problem: null };
    } catch (error) {
      return { rows: [], problem: reasonOf(error) };
    }
  };
  // One after the other: the embedded database has a single session, and a busy server has better things to do.
  return {
    tables: await read(tables),
    server: await read(server),
    migrations: await read(migrations),
    settings: await read(settings),
    secrets: await read(secrets),
    plugins: await read(plugins),
    mails: await read(mails),
    activity: await read(activity),
  };
};

// Rows are the planner's estimate: to count them would read every table.
const tables = sql`
  select own.relname as name, greatest(own.reltuples, 0)::float8 as "estimatedRows",
    pg_total_relation_size(own.oid)::float8 as "sizeBytes",
    stat.n_dead_tup::float8 as "deadRows", stat.last_autovacuum::text as "lastVacuum"
  from pg_class own left join pg_stat_user_tables stat on stat.relid = own.oid
  where own.relkind = 'r' and own.relnamespace in (to_regnamespace('public'), to_regnamespace('app'))
  order by 3 desc limit 200`;

const server = sql`
  select name, setting from pg_settings
  where name in ('server_version', 'server_encoding', 'TimeZone', 'max_connections', 'shared_buffers', 'fsync',
    'synchronous_commit', 'full_page_writes', 'work_mem', 'statement_timeout', 'default_transaction_isolation')
  order by name`;

// Through JSON, because a table made by the migrator itself lacks a column.
const migrations = sql`
  select id, hash, created_at::float8 as "createdAt", to_jsonb(done) ->> 'applied_at' as "appliedAt"
  from drizzle.__drizzle_migrations as done order by id`;

const settings = sql`select section, value, updated_at::text as "updatedAt" from settings order by section`;

const secrets = sql`select name, updated_at::text as "updatedAt" from setting_secrets order by name`;

const plugins = sql`
  select name, version, is_enabled as "isEnabled", is_bundled as "isBundled", pending_version as "pendingVersion",
    pending_error as "pendingError", quarantine_reason as "quarantineReason", updated_at::text as "updatedAt"
  from plugins where removed_at is null order by name`;

const mails = sql`
  select status, last_error as "lastError", count(*)::int as count, max(attempts)::int as "mostAttempts",
    min(created_at)::text as oldest, max(created_at)::text as newest
  from mails group by 1, 2 order by count(*) desc limit 50`;

const activity = sql`
  select days.day::text as day, kinds.plugin_name as plugin, kinds.type, kinds.status, kinds.severity,
    sum(days.rows)::int as rows
  from activity_days days join activity_kinds kinds on kinds.id = days.kind_id
  where days.day > current_date - 30 group by 1, 2, 3, 4, 5 order by 1 desc, 6 desc limit 2000`;

const reasonOf = (error: unknown): string => {
  const cause = databaseError(error) ?? (error instanceof Error ? (error.cause ?? error) : error);
  return cause instanceof Error ? cause.message : String(cause);
};

/**
 * Notes, in the caller's transaction, up to which version the log tells of upgrades; resolves to what stood there before,
 * `null` for nothing. Replicas that start at the same time come one after another.
 */
export const replaceRecordedVersion = async (tx: Database, version: string): Promise<string | null> => {
  const [added] = await tx
    .insert(installation)
    .values({ key: rowKey, value: version })
    .onConflictDoNothing()
    .returning({ key: installation.key });
  if (added !== undefined) return null;
  const [row] = await tx.select().from(installation).where(eq(installation.key, rowKey)).for("update");
  if (row !== undefined && row.value !== version)
    await tx.update(installation).set({ value: version }).where(eq(installation.key, rowKey));
  return row?.value ?? null;
};

/** The same without changing anything. */
export const readRecordedVersion = async (db: Database): Promise<string | null> => {
  const [row] = await db.select().from(installation).where(eq(installation.key, rowKey));
  return row?.value ?? null;
};

const rowKey = "recorded_version";
