import { SQL } from "bun";
import { startPostgres } from "../../services/postgres.ts";
import { moveToMeasuredCore } from "../measure/cores.ts";
import { parentOf, processTree } from "../measure/processes.ts";

/** A PostgreSQL server that syncs its commits, kept to the measured core. */
export type MeasuredPostgres = { createDatabase(): Promise<string>; pids(): number[]; stop(): void };

/** Starts the server. Throws when PostgreSQL is not installed. */
export const startMeasuredPostgres = async (): Promise<MeasuredPostgres> => {
  const server = await startPostgres({ durable: true });
  try {
    const root = await postmasterPid(server.url());
    moveToMeasuredCore(processTree(root));
    return {
      createDatabase: () => server.createDatabase(),
      pids: () => processTree(root),
      stop: server.stop,
    };
  } catch (error) {
    server.stop();
    throw error;
  }
};

/** A connection's process is a child of the server's first one; it lives as long as the connection. */
const postmasterPid = async (url: string): Promise<number> => {
  const sql = new SQL(url, { max: 1 });
  try {
    const [row] = await sql.unsafe("select pg_backend_pid() as pid");
    return parentOf(Number(row?.pid));
  } finally {
    await sql.close();
  }
};
