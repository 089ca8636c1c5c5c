import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, startServer, temporaryFolder } from "../driver/start-server.ts";
import { makeNewerProgram, newerVersion } from "../replicas/newer-program.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

setDefaultTimeout(120_000);

let postgres: PostgresServer;
let newer: string;
const folders: string[] = [];
const secret = "a-key-for-tests-with-enough-distinct-characters-0123456789";

beforeAll(async () => {
  newer = makeNewerProgram();
  folders.push(newer);
  postgres = await startPostgres();
});
afterAll(() => {
  postgres.stop();
  for (const folder of folders) removeFolder(folder);
});

/** Has a server of this version, or of the newer one, start on an installation, and stop again. */
const serve = async (env: Record<string, string>, programRoot?: string): Promise<void> => {
  const { DATA_DIR: dataDir = "", ...others } = env;
  const server = await startServer({
    dataDir,
    env: others,
    ...(programRoot === undefined ? {} : { programRoot }),
  });
  expect(await server.stop()).toBe(0);
};

/** A new installation with a backup that was made before the newer version changed it. */
const upgraded = async (database: Record<string, string>) => {
  const dataDir = temporaryFolder();
  folders.push(dataDir);
  const env = { DATA_DIR: dataDir, APP_SECRET: secret, ...database };
  await serve(env);
  const file = join(dataDir, "before.tar.zst");
  expect((await runCommand(["backup", "--out", file], { env })).exitCode).toBe(0);
  await serve(env, newer);
  return { env, file, dataDir };
};

test("back to the former version on PostgreSQL: a restore over the newer one's database is refused, with the way that works", async () => {
  const { env, file, dataDir } = await upgraded({ DATABASE_URL: await postgres.createDatabase() });
  const says = `version ${newerVersion} of Atrium has changed it`;
  for (const words of [[], ["--replace"]]) {
    const refused = await runCommand(["restore", file, "--yes", ...words], { env });
    expect([words, refused.exitCode]).toEqual([words, 78]);
    for (const part of [says, "Nothing was changed", "create an empty database, set DATABASE_URL to it"])
      expect(refused.stderr).toContain(part);
  }
  // It was refused before anything was copied.
  const copies = readdirSync(join(dataDir, "backups")).filter((name) => name.includes("before-restore"));
  expect(copies).toEqual([]);
  const planned = await runCommand(["restore", file, "--plan", "--json"], { env });
  expect([planned.exitCode, JSON.parse(planned.stdout).complaint]).toEqual([
    1,
    expect.stringContaining("create an empty database"),
  ]);
  await serve(env, newer);

  const back = { ...env, DATABASE_URL: await postgres.createDatabase() };
  expect(await runCommand(["restore", file, "--yes"], { env: back })).toMatchObject({ exitCode: 0 });
  await serve(back);
  await serve(back, newer);
});

test("back to the former version on the embedded database: the backup takes its place, and the next upgrade works", async () => {
  const { env, file } = await upgraded({});
  expect(await runCommand(["restore", file, "--yes"], { env })).toMatchObject({ exitCode: 0 });
  await serve(env);
  await serve(env, newer);
});
