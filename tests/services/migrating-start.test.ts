import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { SQL } from "bun";
import { inOrder } from "#api/testing/in-order.ts";
import { until } from "#api/testing/until.ts";
import { programIn } from "../driver/program.ts";
import { removeFolder, startServer, temporaryFolder } from "../driver/start-server.ts";
import { makeNewerProgram } from "../replicas/newer-program.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.ts";

setDefaultTimeout(120_000);

const APP_SECRET = "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi";
/** The lock that whoever migrates holds; see `src/api/db/postgres/open-postgres.ts`. */
const lock = 0x61747269756d;

let postgres: PostgresServer;
let dataDir: string;
let newer: string;
let env: { DATABASE_URL: string; DATA_DIR: string; APP_SECRET: string };
let sql: SQL;

describe.skipIf(findPostgres() === null)("a start that finds migrations to apply", () => {
  beforeAll(async () => {
    postgres = await startPostgres();
    const DATABASE_URL = await postgres.createDatabase();
    dataDir = temporaryFolder();
    newer = makeNewerProgram();
    env = { DATABASE_URL, DATA_DIR: dataDir, APP_SECRET };
    await (await startServer({ dataDir, env })).stop();
    sql = new SQL(DATABASE_URL, { max: 1 });
  });
  afterAll(async () => {
    await sql.close();
    postgres.stop();
    for (const folder of [dataDir, newer]) removeFolder(folder);
  });

  const running = new Set<Bun.Subprocess>();
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all([...running].map((child) => child.exited));
    running.clear();
    await sql`select pg_advisory_unlock_all()`;
  });

  const serve = (more: Record<string, string> = {}) => {
    const child = Bun.spawn([...programIn(newer), "serve"], {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH ?? "",
        ...{ ...env, HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json", ...more },
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    running.add(child);
    let output = "";
    const collect = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
    };
    const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
    return { child, output: () => output, ended: () => collected.then(() => child.exited) };
  };
  const migrations = () => sql`select * from drizzle.__drizzle_migrations order by id`;

  const waiting = "waiting for another process that is migrating or loading the database";

  // Once they are applied, no start finds any.
  const step = inOrder();

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    step(
      `while another process migrates it answers that it starts, says what it waits for, and one ${signal} ends it with 0`,
      async () => {
        await sql`select pg_advisory_lock(${lock})`;
        const port = await freePort();
        const { child, output } = serve({ PORT: String(port) });
        await until(() => output().includes(waiting), 20_000);
        const line = output()
          .split("\n")
          .find((text) => text.includes(waiting));
        expect(JSON.parse(line ?? "{}")).toMatchObject({ waitedMs: expect.any(Number) });
        const url = `http://127.0.0.1:${port}`;
        await until(() => fetch(`${url}/api/health`).then(({ status }) => status === 200), 20_000);
        const ready = await fetch(`${url}/api/ready`);
        expect([ready.status, (await ready.json()).data]).toEqual([503, { status: "starting" }]);
        child.kill(signal);
        expect(await child.exited).toBe(0);
        await sql`select pg_advisory_unlock_all()`;
      },
    );

  step("S6: another key is refused with 78 before anything is changed", async () => {
    const before = await migrations();
    const { output, ended } = serve({ APP_SECRET: "Zx81Lq0Vw5Tn7Rb2Kc9Mf4Jh6Pd3Sg0YaUeOi" });
    expect(await ended()).toBe(78);
    expect(output()).toContain("The key does not belong to this database");
    expect(await migrations()).toEqual(before);
  });

  step(
    "one signal does not cut its own migrations off: they are gone through, and then the server stops",
    async () => {
      const before = await migrations();
      await sql`begin`;
      await sql`lock table users in access exclusive mode`;
      const { child, output, ended } = serve();
      const held = () => sql`select 1 from pg_locks where relation = 'users'::regclass and not granted`;
      await until(async () => (await held()).length > 0, 20_000);
      child.kill("SIGTERM");
      // It tries the table again, which only a process does that lives.
      await until(async () => (await held()).length === 0);
      await until(async () => (await held()).length > 0);
      await sql`rollback`;
      expect([await ended(), output()]).toEqual([0, expect.stringContaining("atrium listening on")]);
      expect(await migrations()).toHaveLength(before.length + 1);
    },
  );
});

const freePort = async (): Promise<number> => {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = probe;
  await probe.stop(true);
  return port ?? 0;
};
