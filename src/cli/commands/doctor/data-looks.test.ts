import { expect, test } from "bun:test";
import { type Config, readConfig } from "#api/config.ts";
import type { SupportFacts } from "#api/modules/system/contract.ts";
import { databaseFacts } from "#cli/commands/support-bundle/collect-parts.ts";
import type { Composition, DatabaseReport } from "#cli/composition.ts";
import type { Users } from "./as-owner.ts";
import { makeChecks } from "./checks.ts";
import { dataLooks } from "./doctor.ts";

const dataDir = "/nonexistent/atrium";
const report: DatabaseReport = { kind: "embedded", version: "18.6", sizeBytes: 1, migrations: [] };
const part = { rows: [], problem: null };
const facts: SupportFacts = {
  tables: part,
  server: part,
  migrations: part,
  settings: part,
  secrets: part,
  plugins: part,
  mails: part,
  activity: part,
};

/** A composition of which nothing else is asked: without a server that is enough. */
const partial = (parts: Partial<Composition>): Composition => parts as Composition;

/** A composition that notes what is opened. */
const noting = (env: Record<string, string> = {}) => {
  const opened: string[] = [];
  const note = <T>(name: string, answer: T) => {
    opened.push(name);
    return Promise.resolve(answer);
  };
  const config = (): Config => readConfig({ DATA_DIR: dataDir, ...env }, false);
  const composition = partial({
    dataDir,
    config,
    hasDatabase: () => true,
    inspectDatabase: () => note("database", report),
    inspectRedis: () => note("Redis", null),
    supportFacts: () => note("facts", facts),
  });
  return { opened, composition };
};

const look = async (users: Users, env: Record<string, string> = {}) => {
  const { opened, composition } = noting(env);
  const checks = await makeChecks(await dataLooks(composition, false, users), dataDir);
  return { opened, stateOf: (name: string) => checks.find((check) => check.name === name) };
};

test("root does not open another user's embedded database: what it leaves there would keep the server from starting", async () => {
  const { opened, stateOf } = await look({ user: 0, owner: 54_321 });
  expect(opened).toEqual([]);
  expect(stateOf("database")).toMatchObject({ state: "fail", detail: expect.stringContaining("'#54321'") });
  expect(stateOf("Redis")?.state).toBe("warn");
  expect(stateOf("visitors")?.state).toBe("ok");
});

test.each<[string, Users, Record<string, string>]>([
  ["root in root's folder", { user: 0, owner: 0 }, {}],
  ["root before the first start", { user: 0, owner: null }, {}],
  ["the owner", { user: 54_321, owner: 54_321 }, {}],
  ["root with PostgreSQL", { user: 0, owner: 54_321 }, { DATABASE_URL: "postgres://a@127.0.0.1/x" }],
])("%s has the database looked at", async (_, users, env) => {
  const { opened, stateOf } = await look(users, env);
  expect(opened).toEqual(["database", "Redis"]);
  expect(stateOf("database")?.state).toBe("ok");
});

test("a support bundle that root makes leaves another user's database closed, and says so", async () => {
  const { opened, composition } = noting();
  await expect(databaseFacts(composition, { user: 0, owner: 54_321 })).rejects.toThrow("as that user");
  expect(opened).toEqual([]);
  await databaseFacts(composition, { user: 54_321, owner: 54_321 });
  expect(opened).toEqual(["facts"]);
});
