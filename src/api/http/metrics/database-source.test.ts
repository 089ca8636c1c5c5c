import { expect, test } from "bun:test";
import { openPostgres } from "#api/db/open-postgres.ts";
import { openTestHandle } from "#api/testing/database-handle.ts";
import { databaseSource } from "./server-sources.ts";

test("a database that answers is told with its times, its connections and its own process", async () => {
  const { handle, close } = await openTestHandle();
  try {
    const samples = new Map((await databaseSource(handle).read()).map(({ name, value }) => [name, value]));
    expect(samples.get("atrium_database_up")).toBe(1);
    expect(samples.get("atrium_database_ping_seconds")).toBeGreaterThan(0);
    expect(samples.get("atrium_database_connections")).toBeGreaterThan(0);
    expect(samples.has("atrium_database_child_restarts_total")).toBe(handle.kind === "embedded");
  } finally {
    await close();
  }
});

test("a database that is away is told as that, within the time of a scrape", async () => {
  const handle = openPostgres("postgres://nobody:nothing@127.0.0.1:1/none");
  const startedMs = performance.now();
  const samples = await databaseSource(handle).read();
  expect(performance.now() - startedMs).toBeLessThan(2_500);
  expect(samples.find(({ name }) => name === "atrium_database_up")?.value).toBe(0);
  expect(samples.some(({ name }) => name === "atrium_database_ping_seconds")).toBe(false);
  await handle.close();
});
