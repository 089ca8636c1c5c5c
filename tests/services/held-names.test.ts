import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { sql } from "drizzle-orm";
import { databaseError } from "#api/db/errors.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createTestHost, type TestClient, type TestHost, testPassword } from "#api/testing/host.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let server: PostgresServer;
let host: TestHost;
let admin: TestClient;
/** Another connection to the database, whose user needs no right to do what it does here. */
let other: SQL;
beforeAll(async () => {
  server = await startPostgres();
  const { TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE } = process.env;
  Object.assign(process.env, { TEST_DATABASE_URL: server.url(), TEST_DATABASE_TEMPLATE: "" });
  host = await createTestHost({ hasher: createCheapHasher() });
  delete process.env.TEST_DATABASE_URL;
  delete process.env.TEST_DATABASE_TEMPLATE;
  if (TEST_DATABASE_URL) Object.assign(process.env, { TEST_DATABASE_URL });
  if (TEST_DATABASE_TEMPLATE) Object.assign(process.env, { TEST_DATABASE_TEMPLATE });
  admin = await host.signedIn("admin");
  const [row] = await host.db.execute<{ name: string }>(sql`select current_database() as name`);
  other = new SQL(server.url(row?.name), { max: 1 });
});
afterAll(async () => {
  await other.close();
  await host.close();
  server.stop();
});
beforeEach(async () => {
  await other`select pg_advisory_unlock_all()`;
});

const hold = (name: string) => other`select pg_advisory_lock(hashtextextended(${name}, 0))`;
const path = "/api/admin/tokens";
const wish = (name: string) => ({ name, scopes: ["*"], password: testPassword });
const outcomeOf = async (answer: Response) => ({
  status: answer.status,
  code: (await answer.json()).code,
  retryAfter: answer.headers.get("retry-after"),
});
const busy = { status: 503, code: "BUSY", retryAfter: "1" };

test("a lock on token names that is never released makes only requests that need it fail with 503", async () => {
  await hold("api_tokens");
  // More than the pool has connections.
  const asked = Array.from({ length: 12 }, (_, at) => admin.call("POST", path, wish(`held ${at}`)));
  for (const answer of await Promise.all(asked)) expect(await outcomeOf(answer)).toEqual(busy);
  expect((await admin.call("GET", path)).status).toBe(200);
  await other`select pg_advisory_unlock_all()`;
  expect((await admin.call("POST", path, wish("free"))).status).toBe(201);
});

test("a token, which may not make one, is refused without waiting for the name", async () => {
  const client = await newTokenClient(host, { callsPerMinute: 100 });
  await hold("api_tokens");
  const refused = await client.call("POST", path, wish("more"));
  expect(await outcomeOf(refused)).toMatchObject({ status: 403, code: "SESSION_REQUIRED" });
});

test("a schedule of backups and an object whose names are held answer 503 too", async () => {
  await hold("backups.schedule");
  const body = { isEnabled: true, every: { hours: 6 } };
  const set = await admin.call("PUT", "/api/admin/backups/schedule", body);
  expect(await outcomeOf(set)).toEqual(busy);
  await hold("stored object exports/held");
  const bytes = new Uint8Array([1]);
  const put = host.services.objects.put("exports/held", bytes, { contentType: "text/plain" });
  expect(databaseError(await failureOf(put))?.kind).toBe("BUSY");
});
