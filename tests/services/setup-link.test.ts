import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { until } from "#api/testing/until.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.ts";

let postgres: PostgresServer;
let server: ServerProcess | undefined;
const dataDir = temporaryFolder();

beforeAll(async () => {
  if (findPostgres() !== null) postgres = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
  removeFolder(dataDir);
  if (findPostgres() !== null) postgres.stop();
});

test.skipIf(findPostgres() === null)(
  "a server whose database does not answer for the setup link stays up, and prints it once it does",
  async () => {
    const DATABASE_URL = await postgres.createDatabase();
    const settings = { dataDir, env: { DATABASE_URL } };
    await (await startServer(settings)).stop();
    const sql = new SQL(DATABASE_URL, { max: 1 });
    await sql.unsafe(`alter database ${new URL(DATABASE_URL).pathname.slice(1)} set lock_timeout = '300ms'`);
    const holder = await sql.reserve();
    await holder.unsafe("begin; lock table users in access exclusive mode");
    server = await startServer(settings);
    const { url, output } = server;
    expect(server.setupLink).toBeNull();
    expect(output()).toContain("the link for the first admin could not be created yet");
    expect((await fetch(`${url}/api/ready`)).status).toBe(200);
    await holder.unsafe("rollback");
    holder.release();
    await until(() => /\/setup\?token=[\w-]{43}/.test(output()));
    await sql.close();
  },
);
