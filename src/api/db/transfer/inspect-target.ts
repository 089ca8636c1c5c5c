import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { isEmptyTarget } from "./begin-load.ts";
import { productTables, transferTables } from "./transfer-tables.ts";
import { readUnfinishedLoad, type UnfinishedLoad } from "./unfinished-load.ts";

/** A server that data is to be brought to, as it was found. `obstacle` says why that cannot be; `null` when it can. */
export type Target = {
  version: string;
  database: string;
  obstacle: string | null;
  /** A load into it that was begun and not finished. */
  unfinished: UnfinishedLoad | null;
};

/** What the server says of itself. */
export type ServerFacts = {
  version: string;
  number: number;
  encoding: string;
  isReadOnly: boolean;
  hasTrigrams: boolean;
};

/** Looks at a target without changing it. */
export const inspectTarget = async (db: Database): Promise<Target> => {
  const [row] = await db.execute<
    ServerFacts & { database: string; schema: string | null; tables: string[] }
  >(sql`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
      exists (select from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams",
      current_database() as database,
      (select coalesce(json_agg(relname), '[]') from pg_class
       where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm', 'f')) as tables`);
  if (row === undefined) throw new Error("the server did not describe itself");
  const { version, database, tables } = row;
  const ours = tables.filter((name) => productTables.includes(name));
  const isMigrated = ours.length === productTables.length;
  const unfinished = isMigrated ? await readUnfinishedLoad(db) : null;
  const target = { version, database, unfinished };
  const complaint = serverComplaint(row);
  if (complaint !== null || ours.length === 0) return { ...target, obstacle: complaint };
  if (!isMigrated) return { ...target, obstacle: await partlyText(db) };
  if (unfinished !== null || (await isEmptyTarget(db, await transferTables(db))))
    return { ...target, obstacle: null };
  return {
    ...target,
    obstacle: `The database "${database}" holds data already. Give an empty one; nothing was changed`,
  };
};

/** Why a server will not do, in words for the operator, or `null`. */
export const serverComplaint = ({
  version,
  number,
  encoding,
  isReadOnly,
  hasTrigrams,
}: ServerFacts): string | null => {
  if (number < oldest) return `The server is PostgreSQL ${version}; version 15 or newer is needed`;
  if (encoding !== "UTF8")
    return `The database's encoding is ${encoding}; it must be UTF8. Create it with: create database … encoding 'UTF8' template template0`;
  if (isReadOnly)
    return "The server takes no writes: it is a standby or set to be read only. Give its primary";
  if (!hasTrigrams) return "The server lacks the extension pg_trgm; install its contrib modules";
  return null;
};

const oldest = 150_000;

/** An older version's tables are brought up to date first; tables of the same names that nobody migrated are another program's. */
const partlyText = async (db: Database): Promise<string | null> => {
  const [row] = await db.execute<{ isOurs: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "isOurs"`,
  );
  return row?.isOurs
    ? "The database holds an older version's tables. Give an empty one; nothing was changed"
    : "The database holds another program's tables of the same names. Give an empty one; nothing was changed";
};
