import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { listNames, ownSchema } from "../migration-journal.ts";
import { isEmptyTarget } from "./load-tables.ts";
import {
  isOwnTable,
  productTables,
  readUnfinishedLoad,
  transferTables,
  type UnfinishedLoad,
} from "./transfer-tables.ts";

/** A server that data is to be brought to, as it was found. `obstacle` says why that cannot be; `null` when it can. */
type Target = {
  version: string;
  database: string;
  obstacle: string | null;
  /** A load into it that was begun and not finished. */
  unfinished: UnfinishedLoad | null;
};

/** What the server says of itself, of the database, and of what the `role` that asks may do in it. */
type ServerFacts = {
  version: string;
  number: number;
  encoding: string;
  isReadOnly: boolean;
  hasTrigrams: boolean;
  database: string;
  role: string;
  /** Where the role's tables are made; `null`: nowhere that it may use. */
  schema: string | null;
  mayCreateSchemas: boolean;
  mayCreateTables: boolean;
  mayUseList: boolean;
};

type TargetFacts = ServerFacts & { tables: string[]; others: string[]; mayUseTables: boolean };

/** Looks at a target without changing it. */
export const inspectTarget = async (db: Database): Promise<Target> => {
  const facts = await readFacts(db);
  const { version, database } = facts;
  const complaint = serverComplaint(facts);
  // Its content can be read only with the needed rights.
  const mayLook = complaint === null && facts.mayUseTables;
  const isMigrated = facts.tables.length === productTables.length;
  const unfinished = mayLook && isMigrated ? await readUnfinishedLoad(db) : null;
  const target = { version, database, unfinished };
  if (complaint !== null || unfinished !== null) return { ...target, obstacle: complaint };
  return { ...target, obstacle: await contentComplaint(db, facts) };
};

/**
 * What lies in it counts wherever it is in the way, or would be where the product's own tables are, backups of which pass it over.
 * Extensions bring tables and views along, which hosted servers put into every database.
 */
const readFacts = async (db: Database): Promise<TargetFacts> => {
  const names = sql`${JSON.stringify(productTables)}::jsonb`;
  const [row] = await db.execute<TargetFacts>(sql`
    with there as (
      select c.oid, concat(case when c.relnamespace = to_regnamespace(${ownSchema}) then ${`${ownSchema}.`}::text end, c.relname) as name, c.relkind in ('r', 'p', 'v', 'm', 'f') and ${names} ? c.relname as "isOurs"
      from pg_class c
      where (c.relnamespace = to_regnamespace('public')
          or c.relnamespace = to_regnamespace(${ownSchema}) and not exists (
            select from pg_class o join pg_namespace d on d.oid = o.relnamespace
            where d.nspname = 'drizzle' and o.relname = ${listNames.own}))
        and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and not exists (select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid
            and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i'))))
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
      exists (select from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams",
      current_database() as database, current_user::text as role, current_schema()::text as schema,
      has_database_privilege(current_database(), 'CREATE') as "mayCreateSchemas",
      coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE')
        and has_schema_privilege(to_regnamespace('public'), 'USAGE'), false) as "mayCreateTables",
      coalesce(has_schema_privilege(to_regnamespace('drizzle'), 'CREATE')
        and has_schema_privilege(to_regnamespace('drizzle'), 'USAGE'), true) as "mayUseList",
      (select coalesce(json_agg(name), '[]') from there where "isOurs") as tables,
      (select coalesce(json_agg(name order by name), '[]') from there where not "isOurs") as others,
      (select coalesce(bool_and(pg_has_role(relowner, 'USAGE')), true) from pg_class join there using (oid) where "isOurs") as "mayUseTables"`);
  if (row === undefined) throw new Error("the server did not report its version");
  return row;
};

/** Why a server will not do, in words for the operator, or `null`. */
export const serverComplaint = ({
  version,
  number,
  encoding,
  isReadOnly,
  hasTrigrams,
  ...rights
}: ServerFacts): string | null => {
  if (number < oldest) return `The server is PostgreSQL ${version}; version 15 or newer is needed`;
  if (encoding !== "UTF8")
    return `The database's encoding is ${encoding}; it must be UTF8. Create it with: create database … encoding 'UTF8' template template0`;
  if (isReadOnly) return "The server accepts no writes: it is a standby or read-only. Use its primary";
  if (!hasTrigrams) return "The server lacks the extension pg_trgm; install its contrib modules";
  return rightsComplaint(rights);
};

const oldest = 150_000;

type Rights = Pick<
  ServerFacts,
  "database" | "role" | "schema" | "mayCreateSchemas" | "mayCreateTables" | "mayUseList"
>;

/**
 * Both rights are needed whatever is there already: the statement that makes a schema only where there is none asks for the
 * first all the same, and indexes that are created again ask for the second, even on one's own tables. Extensions ask for the first.
 */
const rightsComplaint = ({ database, role, schema, ...may }: Rights): string | null => {
  const missing = [
    ...(may.mayCreateSchemas ? [] : [`create on database "${database}"`]),
    ...(may.mayCreateTables ? [] : [`usage, create on schema "public"`]),
  ].map((right) => `grant ${right} to "${role}";`);
  if (missing.length > 0)
    return `The role "${role}" cannot create Atrium's tables in the database "${database}"; nothing was changed. Have the database's owner run in it: ${missing.join(" ")}`;
  if (schema !== "public")
    return `The role "${role}" creates its tables in the schema "${schema}", not in "public"; nothing was changed. To fix this, run: alter role "${role}" set search_path = public`;
  if (!may.mayUseList)
    return `The schema "drizzle" in the database "${database}" belongs to another role. Use an empty database; nothing was changed`;
  return null;
};

/** Why the content of a database keeps it from being a target; `null` where nothing does. */
const contentComplaint = async (db: Database, facts: TargetFacts): Promise<string | null> => {
  const { database, tables, others, mayUseTables } = facts;
  const [other] = others;
  if (other !== undefined) {
    const more = others.length === 1 ? "" : ` and ${others.length - 1} more`;
    return `The database "${database}" contains objects that are not Atrium's: "${other.split(".").at(-1)}"${more} in the schema "${isOwnTable(other) ? ownSchema : "public"}". Use an empty database; nothing was changed`;
  }
  const list = await lookAtList(db);
  if (tables.length === 0)
    return list === "others"
      ? `The database "${database}" holds a list of migrations, in the schema "drizzle", but not the tables that they create: it belongs to another program, or is what is left of an installation. Use an empty database; nothing was changed`
      : null;
  // An older version's tables must be migrated first; tables of the same names without migrations are another program's.
  if (list === "none")
    return "The database contains tables of another program with the same names. Use an empty database; nothing was changed";
  if (tables.length < productTables.length)
    return "The database contains tables of an older version. Use an empty database; nothing was changed";
  if (!mayUseTables)
    return `The tables in the database "${database}" belong to another role. Use an empty database; nothing was changed`;
  if (await isEmptyTarget(db, await transferTables(db))) return null;
  return `The database "${database}" already contains data. Use an empty database; nothing was changed`;
};

/** The list of migrations in a database; one that is `empty` is what this program leaves when it is ended before the first. */
const lookAtList = async (db: Database): Promise<"none" | "empty" | "others"> => {
  const [row] = await db.execute<{ isThere: boolean; isReadable: boolean; isOwnForm: boolean }>(sql`
    select list is not null as "isThere", coalesce(has_table_privilege(list::oid, 'SELECT'), false) as "isReadable",
      exists (select from pg_attribute where attrelid = list and attname = 'applied_at') as "isOwnForm"
    from to_regclass('drizzle.__drizzle_migrations') as list`);
  if (row?.isThere !== true) return "none";
  if (!row.isReadable || !row.isOwnForm) return "others";
  const rows = await db.execute(sql`select from drizzle.__drizzle_migrations limit 1`);
  return rows.length === 0 ? "empty" : "others";
};
