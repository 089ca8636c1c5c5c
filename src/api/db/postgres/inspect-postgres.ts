import postgres from "postgres";

/** Facts about a PostgreSQL server that matter to operators of Atrium. */
export type PostgresFacts = {
  version: string;
  /** As the server counts: 150020 is 15.20. */
  versionNumber: number;
  /** Whether `pg_trgm` is installed, or can be. */
  hasTrgm: boolean;
  /** Connections that the server takes of ordinary users, and how many are open, of all databases. */
  mostConnections: number;
  openConnections: number;
  /** A standby that takes no writes. */
  isReadOnly: boolean;
  /** Settings that risk what was acknowledged when the power fails, as `name=value`. */
  unsafeSettings: string[];
  /** Whether a pooler lends one connection to several sessions, which breaks locks and notifications. */
  sharesSessions: boolean;
  /** By how much its clock is ahead of ours, in milliseconds. */
  clockAheadMs: number;
};

/** Looks at the server behind `url` over two connections of its own, and changes nothing. Throws what the driver throws. */
export const inspectPostgres = async (url: string): Promise<PostgresFacts> => {
  const [one, other] = [open(url), open(url)];
  try {
    const [facts] = await one<Omit<PostgresFacts, "sharesSessions" | "clockAheadMs">[]>`
      select current_setting('server_version') as version,
        current_setting('server_version_num')::int as "versionNumber",
        exists (select from pg_available_extensions where name = 'pg_trgm') as "hasTrgm",
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int as "mostConnections",
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "openConnections",
        pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
        (
          select coalesce(json_agg(name || '=' || setting order by name), '[]') from pg_settings
          where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
        ) as "unsafeSettings"`;
    if (facts === undefined) throw new Error("the database did not report its version");
    return { ...facts, ...(await compareSessions(one, other)) };
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })]);
  }
};

/** A pooler that works by transaction gives the second session the connection that the first has just let go of. */
const compareSessions = async (one: postgres.Sql, other: postgres.Sql) => {
  const sentAt = Date.now();
  const [first] = await one<Session[]>`
    select pg_backend_pid() as pid, (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;
  const middleMs = (sentAt + Date.now()) / 2;
  const [second] = await other<Session[]>`select pg_backend_pid() as pid, 0::float8 as "nowMs"`;
  return {
    sharesSessions: first?.pid === second?.pid,
    clockAheadMs: Math.round((first?.nowMs ?? middleMs) - middleMs),
  };
};

type Session = { pid: number; nowMs: number };

const open = (url: string): postgres.Sql =>
  postgres(url, {
    max: 1,
    connect_timeout: connectLimitS,
    connection: { application_name: "atrium doctor" },
    fetch_types: false,
    onnotice: () => {},
  });

const connectLimitS = 5;
