import type postgres from "postgres";
import { AppError } from "#api/core/app-error.ts";
import { within } from "#api/core/timing.ts";
import type { Sockets } from "./sockets.ts";

/** Options that every pool has, whatever it talks to. */
export const poolOptions = (sockets: Sockets) => ({
  socket: sockets.open,
  // Compiling a query takes a hundred times as long as most of ours take; what is estimated to cost much seldom does.
  connection: { application_name: "atrium", jit: "off" },
  connect_timeout: connectLimitS,
  // Attempts are refused at once while the database is away, so there is nothing to space out.
  backoff: () => 0,
  // Asking for the types of arrays costs each connection a query, which ends the process when the line breaks
  // during it: its failure is caught by nobody. Drizzle's array columns do not need the answer.
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
  if (!row) throw new Error("the database did not describe itself");
  return row;
};
