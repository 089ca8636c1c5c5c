import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { programIn } from "../driver/program.ts";
import { runCommand } from "../driver/run-command.ts";
import { bytesOfLogo, giveLogo } from "../driver/site-logo.ts";
import { removeFolder, startServer, temporaryFolder } from "../driver/start-server.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let postgres: PostgresServer;
const folders: string[] = [];
const secret = "a-key-for-tests-with-enough-distinct-characters-0123456789";

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => {
  postgres.stop();
  for (const folder of folders) removeFolder(folder);
});

const query = async (url: string, text: string): Promise<{ n: number }[]> => {
  const sql = new SQL(url, { max: 1 });
  const rows = await sql.unsafe(text);
  await sql.close();
  return [...rows];
};

const count = async (url: string, table: string): Promise<number | undefined> =>
  (await query(url, `select count(*)::int as n from ${table}`))[0]?.n;

test("X15: a server on PostgreSQL is backed up while it serves, proven in the embedded database, and restored over itself, all or nothing", async () => {
  const url = await postgres.createDatabase();
  const env = { DATABASE_URL: url, APP_SECRET: secret };
  const server = await startServer({ env });
  const folder = temporaryFolder();
  folders.push(server.dataDir, folder);
  const here = { ...env, DATA_DIR: server.dataDir };
  await query(url, "insert into mail_cooldowns (email_key, mailed_at) values ('before@example.com', now())");
  const file = join(folder, "atrium.tar.zst");
  const logo = await giveLogo(server);
  const made = await runCommand(["backup", "--out", file], { env: here });
  expect([made.exitCode, existsSync(file)]).toEqual([0, true]);
  const cut = join(folder, "cut.tar.zst");
  const bytes = await Bun.file(file).bytes();
  writeFileSync(cut, bytes.subarray(0, bytes.byteLength * 0.8));
  const elsewhere = { DATA_DIR: join(folder, "elsewhere"), APP_SECRET: secret };
  const [refused, planned, proven] = await Promise.all([
    runCommand(["restore", file, "--yes"], { env: here }),
    // Of another machine's server nothing is in the data folder.
    runCommand(["restore", file, "--plan", "--json"], { env: { ...elsewhere, DATABASE_URL: url } }),
    runCommand(["restore", file, "--verify", "--json"], { env: elsewhere }),
  ]);
  await server.stop();
  expect(refused.exitCode).toBe(75);
  const { complaint, isReplacing } = JSON.parse(planned.stdout);
  expect([planned.exitCode, complaint, isReplacing]).toEqual([
    ...[1, expect.stringContaining("stop all of them first"), null],
  ]);
  const stopped = await runCommand(["restore", file, "--plan"], { env: here });
  expect([stopped.exitCode, stopped.stdout]).toEqual([0, expect.stringContaining("It can be restored here")]);
  expect(stopped.stdout).toContain(
    `all data of the installation there would be replaced and saved in ${join(server.dataDir, "backups")}\n`,
  );
  const bare = { ...elsewhere, DATABASE_URL: await postgres.createDatabase() };
  const intoBare = await runCommand(["restore", file, "--plan"], { env: bare });
  expect(intoBare.stdout).toContain("there is nothing to replace\n");
  expect(JSON.parse(proven.stdout)).toMatchObject({ isSound: true, differing: [], log: { fault: null } });

  // What comes by a pipe can be proven only while it is read: the copy of what was there goes when that fails.
  const piped = Bun.spawn([...programIn(), "restore", "-", "--yes"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...here },
    stdio: [Bun.file(cut), "ignore", "ignore"],
  });
  const copies = () =>
    readdirSync(join(server.dataDir, "backups")).filter((name) => name.includes("before-restore"));
  expect([await piped.exited, copies()]).toEqual([1, []]);
  expect(await count(url, "mail_cooldowns")).toBe(1);

  // Cut short it changes nothing, whole it replaces what came since.
  await query(url, "insert into mail_cooldowns (email_key, mailed_at) values ('later@example.com', now())");
  expect((await runCommand(["restore", cut, "--yes", "--replace"], { env: here })).exitCode).toBe(1);
  expect(await count(url, "mail_cooldowns")).toBe(2);
  const restored = await runCommand(["restore", file, "--yes"], { env: here });
  expect([restored.exitCode, restored.stderr]).toEqual([0, ""]);
  expect(await count(url, "mail_cooldowns")).toBe(1);
  expect(copies()).toHaveLength(1);
  const again = await startServer({ env, dataDir: server.dataDir });
  expect(await bytesOfLogo(again, logo)).toEqual(logo.bytes);
  await again.stop();

  // Elsewhere it comes up in the embedded database.
  expect((await runCommand(["restore", file, "--yes"], { env: elsewhere })).exitCode).toBe(0);
  const embedded = await startServer({ env: { APP_SECRET: secret }, dataDir: elsewhere.DATA_DIR });
  expect(await bytesOfLogo(embedded, logo)).toEqual(logo.bytes);
  await embedded.stop();
}, 120_000);
