import { type SQL, sql } from "drizzle-orm";
import type { Database, DatabasePool } from "#api/core/database.ts";
import type { ListActivityInput } from "#api/modules/activity/contract.ts";

/**
 * Copies the log into one table as it would be without the machinery: names in place of kinds, and an index by time for
 * each field of the filter panel. No index for texts: `pg_trgm` is part of the machinery.
 */
export const fillPlainLog = async (db: DatabasePool): Promise<void> => {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local maintenance_work_mem = '1GB'`);
    // Several workers would copy the rows in another order than that of their times.
    await tx.execute(sql`set local max_parallel_workers_per_gather = 0`);
    await tx.execute(sql`
      create table plain_activities as
      select activities.id, occurred_at, plugin_name, type, status, severity, actor_kind, action, description, user_id,
        user_email, duration_ms, occurrences, request_id, ip, user_agent, changes
      from activities join activity_kinds on activity_kinds.id = kind_id`);
    await tx.execute(sql`create index on plain_activities (occurred_at desc, id desc)`);
    for (const column of Object.values(columnOf))
      await tx.execute(sql`create index on plain_activities (${column}, occurred_at desc, id desc)`);
  });
  await db.execute(sql`vacuum analyze plain_activities`);
};

const columnOf = {
  type: sql`type`,
  pluginName: sql`plugin_name`,
  status: sql`status`,
  severity: sql`severity`,
};

/** One page and its total, asked for as everyone would: `order by … limit`, and `count(*)`. */
export const listPlainly = async (db: Database, input: ListActivityInput): Promise<number> => {
  const where = whereOf(input);
  await db.execute(sql`
    select * from plain_activities where ${where} ${input.before === undefined ? sql`` : sql`and id < ${input.before}`}
    order by occurred_at desc, id desc limit ${input.limit} offset ${input.offset}`);
  const [counted] = await db.execute<{ total: number }>(
    sql`select count(*)::float8 as total from plain_activities where ${where}`,
  );
  return counted?.total ?? 0;
};

const whereOf = (input: ListActivityInput): SQL => {
  const parts = [sql`true`];
  for (const name of ["type", "pluginName", "status", "severity"] as const) {
    const words = input[name];
    if (words !== undefined) parts.push(sql`${columnOf[name]} = any(${`{${words}}`}::text[])`);
  }
  if (input.actorKind !== undefined) parts.push(sql`actor_kind = any(${`{${input.actorKind}}`}::text[])`);
  if (input.startDate !== undefined) parts.push(sql`occurred_at >= ${input.startDate}::timestamptz`);
  if (input.endDate !== undefined) parts.push(sql`occurred_at <= ${input.endDate}::timestamptz`);
  if (input.search !== undefined) {
    const held = `%${input.search}%`;
    parts.push(
      sql`(action ilike ${held} or description ilike ${held} or user_email ilike ${held} or ip ilike ${held})`,
    );
  }
  return sql.join(parts, sql` and `);
};

/** What the log holds by plugin, type, status and severity. */
export const sumPlainly = async (db: Database): Promise<void> => {
  await db.execute(sql`
    select plugin_name, type, status, severity, count(*) from plain_activities
    group by grouping sets ((plugin_name), (type), (status), (severity))`);
};

/** The rows of each of the last thirty days. */
export const chartPlainly = async (db: Database): Promise<void> => {
  await db.execute(sql`
    select (occurred_at at time zone 'UTC')::date as day, count(*), count(*) filter (where status = 'failure')
    from plain_activities where occurred_at >= now() - interval '30 days' group by 1`);
};
