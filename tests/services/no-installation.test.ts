import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { programIn } from "../driver/program.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, startServer, temporaryFolder } from "../driver/start-server.ts";
import { makeNewerProgram } from "../replicas/newer-program.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.ts";

let postgres: PostgresServer;
let dataDir: string;
let env: { DATABASE_URL: string; DATA_DIR: string };
let sql: SQL;

describe.skipIf(findPostgres() === null)("a command on a PostgreSQL server", () => {
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  afterEach(async () => {
    await sql.close();
    removeFolder(dataDir);
  });

  const openNew = async () => {
    dataDir = temporaryFolder();
    env = { DATABASE_URL: await postgres.createDatabase(), DATA_DIR: dataDir };
    sql = new SQL(env.DATABASE_URL, { max: 1 });
  };
  const tables = async () =>
    (
      await sql`select from pg_class where relkind = 'r' and relnamespace <> all ('{pg_catalog,information_schema}'::regnamespace[])`
    ).length;

  test("makes no installation in an empty database, but for those that are there to make one", async () => {
    await openNew();
    const ada = ["--email", "ada@example.test", "--name", "Ada"];
    const refused = [
      ["user", "list"],
      ["backup", "--out", "no"],
      ["backup", "--out", "no", "--plan"],
    ];
    for (const words of refused) {
      const { exitCode, stdout, stderr } = await runCommand(words, { env });
      expect([exitCode, stdout, stderr]).toEqual([
        3,
        "",
        expect.stringMatching(
          /^error: there is no installation in the database "t_\w+" on the PostgreSQL server at /,
        ),
      ]);
    }
    const described = await runCommand(["openapi"], { env });
    expect([described.exitCode, JSON.parse(described.stdout).openapi]).toEqual([0, "3.1.0"]);
    const unknown = await runCommand(["schema", "notes", "list"], { env });
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("no installation in")]);
    const planned = await runCommand(["admin", "create", ...ada, "--plan"], { env });
    expect([planned.exitCode, planned.stdout]).toEqual([
      0,
      expect.stringContaining("Would set up an installation"),
    ]);
    expect([await tables(), existsSync(join(dataDir, "app.key"))]).toEqual([0, false]);

    const input = "a rather fine long password\n";
    const made = await runCommand(["admin", "create", ...ada, "--password-stdin"], { env, input });
    expect([made.exitCode, made.stderr]).toEqual([0, ""]);
    expect((await runCommand(["user", "list", "--json"], { env })).exitCode).toBe(0);
  });

  test("X7: does not migrate what an older version works on", async () => {
    await openNew();
    await (await startServer({ dataDir, env })).stop();
    const applied = () => sql`select * from drizzle.__drizzle_migrations order by id`;
    const before = await applied();
    const newer = makeNewerProgram();
    const run = (...words: string[]) => {
      const { exitCode, stderr } = Bun.spawnSync([...programIn(newer), ...words], {
        cwd: dataDir,
        env: { PATH: process.env.PATH ?? "", ...env },
      });
      return { exitCode, stderr: String(stderr) };
    };
    for (const words of [["user", "list"], ["backup", "--out", "no"], ["openapi"]])
      expect([words, run(...words)]).toEqual([
        words,
        {
          exitCode: 1,
          stderr: expect.stringContaining(
            "belongs to an older version, and commands do not migrate it: a migration is pending",
          ),
        },
      ]);
    expect(await applied()).toEqual(before);
    expect(run("migrate").exitCode).toBe(0);
    expect(run("user", "list").exitCode).toBe(0);
    removeFolder(newer);
  });
});
