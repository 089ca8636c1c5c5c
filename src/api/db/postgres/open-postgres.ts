import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { AppError } from "#api/core/app-error.ts";
import { within } from "#api/core/timing.ts";
import type { DatabaseHandle } from "../database-handle.ts";
import { createQueryCounter } from "./query-counter.ts";
import { createSockets, type Sockets, startPulse } from "./sockets.ts";

/** Opens a pool on the server at `url`. No connection is made before it is needed. */
export const openPostgres = (url: string): DatabaseHandle => {
  const pulse = startPulse(url, () => sockets.cut());
  const sockets = createSockets(() => pulse.isAway);
  const { stats, include } = createQueryCounter();
  const sql = include(postgres(url, { ...poolOptions(sockets), max: mostConnections }));
  const db = drizzle(sql);
  // One connection of their own: lookups of many requests leave in one packet and return in one, which costs a third
  // less than spreading them over the pool, and they never wait behind a long query.
  const lookupSql = include(postgres(url, { ...poolOptions(sockets), max: 1 }));

  return {
    db,
    lookups: drizzle(lookupSql),
    kind: "postgres",
    check: () => checkPool(sql),
    describe: () => describePool(sql),
    writeObstacle: () => null,
    listen: (channel, onMessage, onState) => pulse.listen(channel, { onMessage, onState }),
    notify: async (channel, payload) => void (await sql.notify(channel, payload)),
    exclusively: async (work, onWait = () => {}) => {
      // The lock belongs to a connection, so the work needs one that is its own; it ends with it.
      const own = postgres(url, { ...poolOptions(sockets), max: 1, max_lifetime: null });
      try {
        const [found] = await own`select pg_try_advisory_lock(${exclusiveLock}) as held`;
        if (found?.held !== true) await waitForLock(own, onWait);
        return await work(drizzle(own));
      } finally {
        await own.end({ timeout: 1 });
      }
    },
    snapshots: null,
    queries: stats,
    connections: () => ({ open: sockets.count, most: mostConnections + 1 }),
    child: () => null,
    close: async () => {
      await pulse.stop();
      await Promise.all([sql.end({ timeout: 2 }), lookupSql.end({ timeout: 2 })]);
    },
  };
};

/** Waits as long as it takes, whatever the server's own limit on locks is. */
const waitForLock = async (own: postgres.Sql, onWait: (waitedMs: number) => void): Promise<void> => {
  const startedAt = performance.now();
  const telling = setInterval(() => onWait(Math.round(performance.now() - startedAt)), waitToldMs);
  try {
    const [limits] =
      await own`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;
    await own`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`;
    await own`select pg_advisory_lock(${exclusiveLock})`;
    await own`select set_config('lock_timeout', ${limits?.lock}, false), set_config('statement_timeout', ${limits?.statement}, false)`;
  } finally {
    clearInterval(telling);
  }
};

const mostConnections = 10;
const waitToldMs = 1_000;

/** Any number that no other program would choose for an advisory lock: "atrium" in ASCII. */
const exclusiveLock = 0x61747269756d;

/** Options that every pool has, whatever it talks to. */
export const poolOptions = (sockets: Sockets) => ({
  socket: sockets.open,
  // Compiling a query takes a hundred times as long as most of ours take; what is estimated to cost much seldom does.
  connection: { application_name: "atrium", jit: "off" },
  connect_timeout: connectLimitS,
  // Attempts are refused immediately while the database is away, so there is nothing to space out.
  backoff: () => 0,
  // Asking for the types of arrays costs each connection a query, which ends the process when the line breaks
  // during it: its failure is caught by no one. Drizzle's array columns do not need the answer.
  fetch_types: false,
  onnotice: () => {},
});

const connectLimitS = 2;

/** Throws `DB_UNAVAILABLE` when a query does not get through in time. */
export const checkPool = async (sql: postgres.Sql): Promise<void> => {
  try {
    await within(checkLimitMs, sql`select 1`);
  } catch (error) {
    throw new AppError("DB_UNAVAILABLE", undefined, { cause: error, retryAfterS: 1 });
  }
};

const checkLimitMs = 2500;

/** Version of the server, and bytes that the database takes on its disk. */
export const describePool = async (sql: postgres.Sql): Promise<{ version: string; sizeBytes: number }> => {
  const [row] = await sql<{ version: string; sizeBytes: number }[]>`
    select current_setting('server_version') as version,
           pg_database_size(current_database())::float8 as "sizeBytes"`;
  if (!row) throw new Error("the database did not report its version");
  return row;
};
