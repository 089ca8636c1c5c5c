import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestDatabaseServer, type TestDatabaseServer } from "#api/testing/database-server.ts";
import { inspectPostgres } from "./inspect-postgres.ts";

let server: TestDatabaseServer;

beforeAll(async () => {
  server = await startTestDatabaseServer();
});

afterAll(() => server.close());

test("a server tells its version, extension, connections and clock", async () => {
  const facts = await inspectPostgres(server.url);
  expect(facts).toMatchObject({ hasTrgm: true, isReadOnly: false });
  expect(facts.versionNumber).toBeGreaterThanOrEqual(150_000);
  expect(facts.version).toStartWith(String(Math.floor(facts.versionNumber / 10_000)));
  expect(facts.mostConnections).toBeGreaterThan(facts.openConnections);
  expect(facts.unsafeSettings.every((setting) => setting.endsWith("=off"))).toBe(true);
  expect(Math.abs(facts.clockAheadMs)).toBeLessThan(5_000);
});

test("two sessions that share a connection are seen", async () => {
  // The embedded database serves all its connections by one session, as a pooler that works by transaction may do.
  const isEmbedded = process.env.TEST_DATABASE_URL === undefined;
  expect((await inspectPostgres(server.url)).sharesSessions).toBe(isEmbedded);
});

test("a server that is away is told by the driver's own error", async () => {
  server.cut();
  await expect(inspectPostgres(server.url)).rejects.toThrow();
  await server.mend();
});
