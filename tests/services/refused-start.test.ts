import { afterAll, expect, test } from "bun:test";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, temporaryFolder } from "../driver/start-server.ts";

const { TEST_DATABASE_URL } = process.env;
const dataDir = temporaryFolder();
afterAll(() => removeFolder(dataDir));

const changed = (change: Partial<URL>): string =>
  Object.assign(new URL(TEST_DATABASE_URL ?? "postgres://app@127.0.0.1:1/app"), change).href;

const faults = [
  ["without the database", changed({ pathname: "/absent" }), /has no database "absent"; create it first/],
  ["that does not know the user", changed({ username: "nobody" }), /does not let "nobody" in/],
] as const;

for (const [fault, DATABASE_URL, words] of faults)
  for (const command of [["serve"], ["user", "list"]])
    test.skipIf(TEST_DATABASE_URL === undefined)(
      `\`${command.join(" ")}\` on a PostgreSQL server ${fault} ends with 1 and says what is wrong`,
      async () => {
        const env = { DATA_DIR: dataDir, DATABASE_URL, PORT: "0" };
        const { exitCode, stdout, stderr } = await runCommand(command, { env });
        expect([exitCode, stdout]).toEqual([1, ""]);
        expect(stderr).toMatch(words);
      },
    );

test("a command on a PostgreSQL server that is away ends with 1 and names it", async () => {
  const env = { DATA_DIR: dataDir, DATABASE_URL: "postgres://app@127.0.0.1:1/app" };
  const { exitCode, stdout, stderr } = await runCommand(["user", "list"], { env });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("the PostgreSQL server at 127.0.0.1:1 cannot be reached");
});
