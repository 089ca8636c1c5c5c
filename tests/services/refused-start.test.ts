import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, temporaryFolder } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.ts";

const dataDir = temporaryFolder();
afterAll(() => removeFolder(dataDir));

const run = (words: string[], DATABASE_URL: string) =>
  runCommand(words, { env: { DATA_DIR: dataDir, DATABASE_URL, PORT: "0" } });

describe.skipIf(findPostgres() === null)("on a PostgreSQL server", () => {
  let postgres: PostgresServer;
  let database: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await postgres.createDatabase();
    const sql = new SQL(database, { max: 1 });
    await sql.unsafe("create table users (id int); create role weak login");
    await sql.unsafe(`revoke connect on database ${new URL(database).pathname.slice(1)} from public`);
    await sql.close();
  });
  afterAll(() => postgres.stop());

  const changed = (change: Partial<URL>): string => Object.assign(new URL(database), change).href;
  const commands = [["serve"], ["user", "list"]];
  const faults: [string, () => string, RegExp, string[][]?][] = [
    [
      "without the database",
      () => changed({ pathname: "/absent" }),
      /has no database "absent"; create it first/,
    ],
    [
      "that does not know the user",
      () => changed({ username: "nobody" }),
      /does not let "nobody" in without a password/,
    ],
    [
      "that does not let the user connect",
      () => changed({ username: "weak" }),
      /does not let "weak" connect to the database "t_\w+"; grant it CONNECT/,
    ],
    [
      "that refuses what the address asks for",
      () => changed({ search: "?client_encoding=hunter2" }),
      /refuses the connection with SQLSTATE 22023; check the parameters after the "\?"/,
    ],
    [
      "with tables of another program",
      () => database,
      /has tables with the names that Atrium needs/,
      [["serve"], ["migrate"]],
    ],
  ];
  for (const [fault, url, words, tried = commands] of faults)
    for (const command of tried)
      test(`${fault}, \`${command.join(" ")}\` ends with 1 and says what is wrong, and nothing else`, async () => {
        const { exitCode, stdout, stderr } = await run(command, url());
        expect([exitCode, stdout]).toEqual([1, ""]);
        expect(stderr).toMatch(words);
        expect(stderr).not.toMatch(/hunter2|create table|Failed query/i);
      });
});

test.skipIf(findPostgres() === null)("doctor does not repeat what the address asks for either", async () => {
  const postgres = await startPostgres();
  const { stdout, stderr } = await run(["doctor"], `${postgres.url()}?client_encoding=hunter2`);
  postgres.stop();
  expect(stdout).toContain("PostgreSQL: could not be checked: the PostgreSQL server at");
  expect(stdout + stderr).not.toContain("hunter2");
});

test("a command on a PostgreSQL server that is away ends with 1 and names it", async () => {
  const { exitCode, stdout, stderr } = await run(["user", "list"], "postgres://app@127.0.0.1:1/app");
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("the PostgreSQL server at 127.0.0.1:1 cannot be reached");
});

test("a lone percent sign in the URL ends the start with 78 and names only the variable", async () => {
  const { exitCode, stdout, stderr } = await run(["serve"], "postgres://app:hunt%er2@127.0.0.1:1/app");
  expect([exitCode, stdout]).toEqual([78, ""]);
  expect(stderr).toContain('DATABASE_URL: is "postgres://***"; expected postgres://user:password@');
  expect(stderr).not.toContain("er2");
});
