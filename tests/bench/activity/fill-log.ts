import { eq, type SQL, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { DatabasePool } from "#api/core/database.ts";
import { activities, activityChain } from "#api/db/schema.ts";
import { noHash } from "#api/modules/activity/chain-store.ts";
import { sealEnds } from "#api/modules/activity/draft.ts";
import { activityTypes } from "#contract/activity.ts";
import type { MeasuredLog } from "./measured-log.ts";
import { sampleKinds } from "./sample-kinds.ts";
import { sampleActions, sampleDescriptions, sampleEndings, samplePeople } from "./sample-texts.ts";

/**
 * Fills an empty log by SQL: `rows` activities of ninety days until now, evenly spread, with counters and chain as the
 * product keeps them; the hashes are as long as real ones but prove nothing. Indexes are built once the rows are there,
 * with more memory than a server has by default, and `besides` runs meanwhile: that takes most of the time.
 */
export const fillLog = async (
  { handle, ctx }: MeasuredLog,
  rows: number,
  besides: (db: DatabasePool) => Promise<void> = async () => {},
): Promise<void> => {
  const indexes = await handle.db.execute<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'activities' and indexname <> 'activities_pkey'`);
  await handle.exclusively(async (db) => {
    for (const { name } of indexes) await db.execute(sql`drop index ${sql.identifier(name)}`);
    await insertLog(db, rows, ctx.secrets);
  });
  const index = handle.exclusively(async (db) => {
    await db.execute(sql`set maintenance_work_mem = '1GB'`);
    for (const { definition } of indexes) await db.execute(sql.raw(definition));
    await db.execute(sql`reset maintenance_work_mem`);
    for (const table of ["activities", "activity_kinds", "activity_days", "activity_chain"])
      await db.execute(sql`vacuum analyze ${sql.identifier(table)}`);
  });
  await Promise.all([index, besides(handle.db)]);
};

const insertLog = (db: DatabasePool, rows: number, box: SecretBox): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select setseed(0.42)`);
    await tx.execute(insertRows(rows));
    await tx.execute(sql`
      insert into activity_kinds (id, plugin_name, type, status, severity, actor_kind, rows, last_id)
      select id, plugin, type, status, severity, actor, counted.rows, last_id from ${kindTable()}
      join (select kind_id, count(*) as rows, max(id) as last_id from activities group by kind_id) counted
        on counted.kind_id = kind.id`);
    await tx.execute(sql`
      insert into activity_days (day, kind_id, rows)
      select (occurred_at at time zone 'UTC')::date, kind_id, count(*) from activities group by 1, 2`);
    const [newest] = await tx.select().from(activities).where(eq(activities.id, rows));
    if (newest === undefined) throw new Error("the log was not filled");
    const ends = { headId: rows, headHash: newest.hash, anchorId: 0, anchorHash: noHash, fault: null };
    await tx
      .update(activityChain)
      .set({ ...ends, headAt: newest.occurredAt, seal: sealEnds(box, ends) })
      .where(eq(activityChain.id, 1));
  });

/** The email address of one person, who has about 2,000 rows however large the log is. */
export const seldomEmail = "wilhelmina.fitzgerald@archive.example.org";

const kinds = sampleKinds();

const kindTable = (): SQL => {
  const columns = (["plugin", "type", "status", "severity", "actor"] as const).map((name) =>
    textArray(kinds.map((kind) => kind[name])),
  );
  const ids = numberArray(kinds.map((_, at) => at + 1));
  return sql`unnest(${sql.join([ids, ...columns], sql`, `)}) as kind (id, plugin, type, status, severity, actor)`;
};

// Every choice is a lookup of a random number, because ten million rows are to be made within minutes. Of the arrays only
// those of numbers may be long: to find a text in an array is to walk along it.
const insertRows = (rows: number): SQL => sql`
  insert into activities (id, kind_id, occurred_at, action, description, user_id, user_email, duration_ms, request_id,
    ip, user_agent, changes, hash)
  select id, kind, date_trunc('milliseconds', now()) - interval '90 days' * (1 - id / ${rows}::float8),
    ${textArray(sampleActions)}[type],
    replace(${textArray(sampleDescriptions)}[type], '%', ${textArray(plugins)}[plugin])
      || case when u1 < 0.25 then ' for item ' || substr(md5(id::text), 1, 12)
        else ' after ' || (u1 * 800)::integer || ' ms' end
      || ${textArray(sampleEndings.map(({ text }) => text))}[width_bucket(u2, ${numberArray(endingSteps)})],
    case when u3 < 0.6 then (lpad(to_hex(person), 8, '0') || '-1111-4111-8111-111111111111')::uuid end,
    case when u4 * ${rows} < 2000 then ${seldomEmail}
      when u3 < 0.6 then ${textArray(samplePeople.first)}[1 + person % ${samplePeople.first.length}] || '.'
        || ${textArray(samplePeople.last)}[1 + person % ${samplePeople.last.length}]
        || ${textArray(samplePeople.lastEnd)}[1 + person % ${samplePeople.lastEnd.length}]
        || ${textArray(samplePeople.at)}[1 + person % ${samplePeople.at.length}] end,
    case when u1 < 0.8 then (u1 * 400)::integer end,
    case when u3 < 0.7 then substr(md5(id::text), 13, 16) end,
    case when u3 < 0.7 then (place & 127) + 1 || '.' || (place >> 8 & 255) || '.' || (place >> 16 & 255) || '.'
      || (hashint4(place) & 255) end,
    case when u3 < 0.7 then 'Mozilla/5.0 (X11; Linux x86_64; rv:1' || person % 30 || '.0) Gecko/20100101 Firefox/133.0' end,
    case when type = ${activityTypes.indexOf("configuration_changed") + 1}
      then '{"before":{"limit":5},"after":{"limit":10}}' end,
    sha256(int8send(id))
  from (
    select *, hashint4(person) as place, ${numberArray(kinds.map(({ type }) => activityTypes.indexOf(type) + 1))}[kind]
      as type, ${numberArray(kinds.map(({ plugin }) => plugins.indexOf(plugin) + 1))}[kind] as plugin
    from (
      select id, 1 + width_bucket(random(), ${numberArray(kindSteps)}) as kind, (random() ^ 2 * 5000)::integer as person,
        random() as u1, random() as u2, random() as u3, random() as u4
      from generate_series(1, ${rows}::bigint) id offset 0
    ) chosen offset 0
  ) described`;

const plugins = [...new Set(kinds.map(({ plugin }) => plugin))];

const stepsOf = (shares: number[]): number[] => {
  let sum = 0;
  return shares.slice(0, -1).map((share) => {
    sum += share;
    return sum;
  });
};

const kindSteps = stepsOf(kinds.map(({ share }) => share));
const endingSteps = [0, ...stepsOf(sampleEndings.map(({ share }) => share))];

const textArray = (texts: readonly string[]): SQL =>
  sql.raw(`(array[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(",")}])`);
const numberArray = (numbers: readonly number[]): SQL => {
  const type = numbers.every(Number.isInteger) ? "integer" : "float8";
  return sql.raw(`('{${numbers.join(",")}}'::${type}[])`);
};
