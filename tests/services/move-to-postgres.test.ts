import { afterAll, beforeAll, expect } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { sql } from "drizzle-orm";
import { systemClock } from "#api/core/clock.ts";
import { migrate } from "#api/db/migrate.ts";
import { type DatabaseHandle, openDatabase } from "#api/db/open-database.ts";
import { openEmbedded } from "#api/db/open-embedded.ts";
import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import { beginLoad, finishLoad, loadPart } from "#api/db/transfer/load-tables.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { runCommand } from "../driver/run-command.ts";
import { bytesOfLogo, giveLogo, type Logo } from "../driver/site-logo.ts";
import { removeFolder, type StartFailure, startServer, temporaryFolder } from "../driver/start-server.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let postgres: PostgresServer;
let dataDir: string;
let logo: Logo;
const password = "correct-horse-battery";
const main = join(import.meta.dir, "..", "..", "src/cli/main.ts");
const log = createRecordingLog();

beforeAll(async () => {
  postgres = await startPostgres();
  await asOwner("create role mover login nosuperuser");
  const server = await startServer();
  dataDir = server.dataDir;
  logo = await giveLogo(server);
  const words = ["admin", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
  await runCommand(words, { env: { DATA_DIR: dataDir }, input: password });
  await server.stop();
});
afterAll(() => {
  postgres.stop();
  removeFolder(dataDir);
});

const asOwner = async (statement: string): Promise<void> => {
  const sql = new SQL(postgres.url(), { max: 1 });
  await sql.unsafe(statement);
  await sql.close();
};

/** The address of an empty database whose owner may do nothing else on the server, as hosted ones are. */
const emptyDatabase = async (): Promise<string> => {
  const url = new URL(await postgres.createDatabase());
  await asOwner(`alter database ${url.pathname.slice(1)} owner to mover`);
  url.username = "mover";
  return url.href;
};

const move = (url: string, ...words: string[]) =>
  runCommand(["migrate", "embedded-to-postgres", "--to-stdin", ...words], {
    env: { DATA_DIR: dataDir },
    input: url,
  });

/** Starts a move and sends it a signal as soon as it says `line`; resolves to its exit code. */
const moveUntil = async (url: string, line: string, signal: NodeJS.Signals) => {
  const child = Bun.spawn([process.execPath, main, "migrate", "embedded-to-postgres"], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", DATA_DIR: dataDir, DATABASE_URL: url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    if (!told.includes(line) && (told + chunk).includes(line)) child.kill(signal);
    told += chunk;
  }
  return { exitCode: await child.exited, told };
};

const refusedBy = (env: Record<string, string>) =>
  startServer({ dataDir, env }).then(
    () => null,
    (error: StartFailure) => ({ exitCode: error.exitCode, text: error.message }),
  );

const textsOf = async (handle: DatabaseHandle): Promise<string[]> => {
  const parts = await Array.fromAsync(dumpTables(handle));
  // Which transaction wrote last means nothing in another cluster, and each program notes that it was there.
  return parts.map(
    ({ table, bytes }) =>
      `${table} ${new TextDecoder().decode(bytes).replace(/"head_xid":\d+/, '"head_xid":null')}`,
  );
};

// What was moved is not moved again.
const step = inOrder();

step("a plan says what would be moved and changes nothing at the target", async () => {
  const url = await emptyDatabase();
  const { exitCode, stdout } = await move(url, "--plan", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    obstacle: null,
    to: { version: expect.stringMatching(/^1[5-9]/) },
  });
  const sql = new SQL(url, { max: 1 });
  expect(await sql`select from pg_class where relname = 'users'`).toHaveLength(0);
  await sql.close();
});

step("a plan for a target in which the role may make no tables says so and ends with 1", async () => {
  const url = new URL(await postgres.createDatabase());
  url.username = "mover";
  const { exitCode, stdout } = await move(url.href, "--plan", "--json");
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    1,
    { obstacle: expect.stringContaining('schema "public" to "mover"') },
  ]);
});

step("a move that is ended by Ctrl-C leaves the target empty and the source in use", async () => {
  const url = await emptyDatabase();
  const { exitCode, told } = await moveUntil(url, "users: 1 rows", "SIGINT");
  expect({ exitCode, told }).toMatchObject({
    exitCode: 130,
    told: expect.stringContaining("The target is empty again"),
  });
  expect(existsSync(join(dataDir, "moved-to-postgresql.json"))).toBe(false);
  expect(JSON.parse((await move(url, "--plan", "--json")).stdout)).toMatchObject({
    obstacle: null,
    brokenOffAt: null,
  });
});

step(
  "what was moved to one server is not moved into a target where another move broke off, and its note stays",
  async () => {
    const url = await emptyDatabase();
    expect((await moveUntil(url, "users: 1 rows", "SIGKILL")).exitCode).toBe(137);
    const path = join(dataDir, "moved-to-postgresql.json");
    const note = { movedAt: "2026-11-21T10:00:00.000Z", to: "postgres://a/atrium", version: "15.4", rows: 7 };
    for (const written of [JSON.stringify({ ...note, load: crypto.randomUUID() }), JSON.stringify(note)]) {
      writeFileSync(path, written);
      expect(await move(url)).toMatchObject({
        exitCode: 78,
        stderr: expect.stringContaining("was already moved to postgres://a/atrium"),
      });
      expect(readFileSync(path, "utf8")).toBe(written);
    }
    rmSync(path);
  },
);

step(
  "a killed move keeps servers from starting on the target, and can be started again; then the folder is no longer used",
  async () => {
    const url = await emptyDatabase();
    expect((await moveUntil(url, "users: 1 rows", "SIGKILL")).exitCode).toBe(137);
    const half = await refusedBy({ DATABASE_URL: url });
    expect(half).toMatchObject({
      exitCode: 78,
      text: expect.stringContaining("Run `atrium migrate embedded-to-postgres` again"),
    });

    const source = await openEmbedded({ dataDir, log, clock: systemClock });
    const before = await textsOf(source);
    await source.close();
    const { exitCode, stdout, stderr } = await move(url, "--json");
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("was interrupted"),
    });
    const report: { tables: { table: string; rows: number }[]; keep: string[] } = JSON.parse(stdout);
    expect(report.tables).toContainEqual({ table: "users", rows: 1 });
    expect(report.keep).toEqual(["app.key"]);

    const target = await openDatabase({ databaseUrl: url, dataDir, log, clock: systemClock });
    const after = await textsOf(target);
    expect(after.filter(isNoLog)).toEqual(before.filter(isNoLog));
    await expectOneMore(target, before);
    await backToEmbedded(target, after);
    await target.close();

    expect(await refusedBy({})).toMatchObject({
      exitCode: 78,
      text: expect.stringContaining("set DATABASE_URL"),
    });
    const server = await startServer({ dataDir, env: { DATABASE_URL: url } });
    expect(server.setupLink).toBeNull();
    expect(await bytesOfLogo(server, logo)).toEqual(logo.bytes);
    const verified = await runCommand(["activity", "verify", "--json"], {
      env: { DATA_DIR: dataDir, DATABASE_URL: url },
    });
    expect(verified).toMatchObject({ exitCode: 0 });
    await server.stop();
    expect(await move(url)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("already contains data"),
    });
  },
);

/** Whether a part is none of the activity log, which has one row more in the target: about the move. */
const isNoLog = (part: string): boolean => !/^(?:activit|#sequences)/.test(part);

const expectOneMore = async (target: DatabaseHandle, before: string[]): Promise<void> => {
  const rows = await target.db.execute<{ action: string; description: string }>(
    sql`select action, description from activities order by id`,
  );
  const former = before
    .filter((part) => part.startsWith("activities "))
    .flatMap((part) => part.trim().split("\n"));
  expect(rows.length).toBe(former.length + 1);
  expect(rows.at(-1)?.action).toBe("Moved to PostgreSQL");
  expect(rows.at(-1)?.description).toContain(dataDir);
};

/** What a restore from a server's data does. */
const backToEmbedded = async (source: DatabaseHandle, expected: string[]): Promise<void> => {
  const folder = temporaryFolder();
  const target = await openEmbedded({ dataDir: folder, log, clock: systemClock });
  await migrate(target);
  const load = await beginLoad(target, { how: "" });
  const counts: Record<string, number> = {};
  for await (const part of dumpTables(source)) {
    counts[part.table] = (counts[part.table] ?? 0) + part.rows;
    await loadPart(target, load, part);
  }
  await finishLoad(target, load, { expected: counts });
  expect(await textsOf(target)).toEqual(expected);
  await target.close();
  removeFolder(folder);
};
