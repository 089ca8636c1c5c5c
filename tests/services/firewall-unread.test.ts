import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { asOperator } from "../driver/plugin-caller.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.ts";

let postgres: PostgresServer;
let server: ServerProcess;
let database: string;

beforeAll(async () => {
  if (findPostgres() === null) return;
  postgres = await startPostgres();
  database = await postgres.createDatabase();
  server = await startServer({ env: { DATABASE_URL: database } });
  const operator = asOperator(server.dataDir);
  expect(await operator.toggle("firewall", true)).toMatchObject({ status: 200 });
  expect(await operator.ask("POST", "/api/firewall/on", {})).toMatchObject({ status: 200 });
  await server.stop();
});

afterAll(async () => {
  if (findPostgres() === null) return;
  await server.stop();
  removeFolder(server.dataDir);
  postgres.stop();
});

test.skipIf(findPostgres() === null)(
  "while a start cannot read whether the firewall is on, nothing gets past it",
  async () => {
    const holder = new SQL(database, { max: 1 });
    await holder.unsafe(`alter database ${new URL(database).pathname.slice(1)} set lock_timeout = '300ms'`);
    const lock = await holder.reserve();
    await lock.unsafe("begin; lock table plugins in access exclusive mode");
    const { dataDir, url } = server;
    const port = Number(new URL(url).port);
    const starting = startServer({ dataDir, port, env: { DATABASE_URL: database }, isLimited: true });
    const statuses: number[] = [];
    const attackUntil = async (isOver: () => boolean) => {
      while (!isOver()) {
        const attack = fetch(`${url}/about?file=../../etc/passwd`).then(({ status }) => status);
        statuses.push(await attack.catch(() => 0));
        await Bun.sleep(10);
      }
    };
    const lockedUntil = performance.now() + 1_500;
    await attackUntil(() => performance.now() > lockedUntil);
    await lock.unsafe("rollback");
    lock.release();
    await attackUntil(() => statuses.includes(403));
    server = await starting;
    await holder.end();
    expect(new Set(statuses.filter((status) => status !== 0))).toEqual(new Set([503, 403]));
  },
);
