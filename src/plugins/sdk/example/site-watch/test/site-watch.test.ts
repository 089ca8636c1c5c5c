import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { startPlugin, type TestedPlugin } from "./atrium-testing.ts";

const url = "https://status.example.com/health";
let plugin: TestedPlugin;

beforeEach(async () => {
  plugin = await startPlugin(join(import.meta.dir, ".."), { settings: { token: "s3cret" } });
});
afterEach(() => plugin.stop());

test("a check is kept, and the site gets its token", async () => {
  plugin.fetchMock(url, { status: 200, text: "fine" });
  const { status, body } = await plugin.call("POST", "/check");
  expect(status).toBe(200);
  expect(body).toMatchObject({ isUp: true, status: 200 });
  expect(plugin.fetched[0]?.headers.authorization).toBe("Bearer s3cret");
  expect((await plugin.call("GET", "/history")).body).toEqual([body]);
});

test("the log of activities hears once that the site is down, and once that it is back", async () => {
  plugin.fetchMock(url, { status: 503 });
  await plugin.runJob("check");
  await plugin.runJob("check");
  plugin.fetchMock(url, { status: 200 });
  await plugin.runJob("check");
  expect(plugin.activities.map(({ action }) => action)).toEqual(["The site is down", "The site is back"]);
});

test("a site that cannot be reached is down", async () => {
  await plugin.runJob("check");
  expect(await plugin.kv.get("history")).toMatchObject([{ isUp: false, status: null }]);
  expect(plugin.logs.at(-1)?.message).toContain("cannot be reached");
});

test("only the last 50 checks are kept", async () => {
  plugin.fetchMock(url, { status: 200 });
  for (let count = 0; count < 51; count += 1) await plugin.runJob("check");
  expect(await plugin.kv.get("history")).toHaveLength(50);
});

test("it calls no host that was not granted", async () => {
  await plugin.setSettings({ url: "https://elsewhere.example.net/" });
  await plugin.runJob("check");
  expect(plugin.fetched).toEqual([]);
  expect(plugin.activities.map(({ action }) => action)).toEqual(["The site is down"]);
});
