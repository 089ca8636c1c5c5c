import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { startPlugin, type TestedPlugin } from "./atrium-testing.ts";

const folder = join(import.meta.dir, "..");
const ada = { id: "1", name: "Ada", role: "user" } as const;
let plugin: TestedPlugin;

beforeEach(async () => {
  plugin = await startPlugin(folder, {
    settings: { greeting: "Good day", token: "s3cret" },
    users: [{ ...ada, email: "ada@example.com" }],
  });
});
// The plugin is undefined if it could not be started.
afterEach(() => plugin?.stop());

const bodyOf = async (...call: Parameters<TestedPlugin["call"]>) => (await plugin.call(...call)).body;

test("greets anyone, and tells users who they are", async () => {
  expect(await bodyOf("GET", "/hello?name=Ada", { user: null })).toEqual({ text: "Hello, Ada!" });
  expect(await plugin.call("GET", "/me", { user: null })).toMatchObject({ status: 401 });
  expect(await bodyOf("GET", "/me", { user: ada })).toEqual(ada);
});

test("repeats a word as often as its schema allows", async () => {
  expect(await plugin.call("POST", "/echo/hey", { body: { times: 2 } })).toMatchObject({
    status: 201,
    body: { said: "hey hey" },
  });
  expect(await plugin.call("POST", "/echo/hey", { body: { times: 9 } })).toMatchObject({ status: 422 });
});

test("greets as configured, and counts", async () => {
  await plugin.call("GET", "/greeting");
  expect(await bodyOf("GET", "/greeting")).toEqual({ text: "Good day, Test admin!", count: 2 });
  await plugin.call("POST", "/loud");
  expect(await bodyOf("GET", "/greeting")).toEqual({ text: "GOOD DAY, TEST ADMIN!", count: 3 });
  expect(await bodyOf("GET", "/settings")).toMatchObject({ loud: true, hasToken: true });
  await plugin.setSettings({ loud: false, tone: "cheerful", words: ["Cheers"] });
  expect(await bodyOf("GET", "/greeting")).toMatchObject({ text: "Good day, Test admin! Cheers" });
});

test("loses no count when many requests count at the same time", async () => {
  await Promise.all(Array.from({ length: 8 }, () => plugin.call("POST", "/counter", { body: { by: 2 } })));
  expect(await plugin.kv.get("counter")).toBe(16);
  expect(await bodyOf("DELETE", "/counter")).toEqual({ wasThere: true });
});

test("keeps notes as files", async () => {
  await plugin.call("PUT", "/notes/plants", { body: { text: "Water them" } });
  expect(await plugin.files.read("notes/plants.txt")).toBe("Water them");
  // A response that is not JSON arrives unchanged, here as base64.
  expect(atob(String(await bodyOf("GET", "/notes/plants")))).toBe("Water them");
  expect(await bodyOf("GET", "/notes")).toMatchObject([{ path: "notes/plants.txt", sizeBytes: 10 }]);
  await plugin.call("DELETE", "/notes/plants");
  expect(await plugin.call("GET", "/notes/plants")).toMatchObject({ status: 404 });
});

test("writes activities, emails and log lines", async () => {
  await plugin.call("POST", "/activity");
  await plugin.call("POST", "/mail", { body: { to: "ada@example.com" } });
  await plugin.call("POST", "/log", { body: { text: "looking" } });
  expect(plugin.activities.map(({ action }) => action)).toEqual(["Tried the activity log"]);
  expect(plugin.mails).toMatchObject([{ to: "ada@example.com" }]);
  expect(await plugin.call("POST", "/mail", { body: { to: "eve@example.com" } })).toMatchObject({
    status: 409,
  });
  expect(plugin.logs.map(({ level }) => level)).toEqual(["debug", "info", "warn", "error"]);
});

test("counts minutes, and remembers events", async () => {
  await plugin.runJob("minute");
  expect(await bodyOf("GET", "/minutes")).toMatchObject({ last: { count: 1 } });
  await plugin.emit("user.login", { userId: ada.id });
  expect(await bodyOf("GET", "/events")).toMatchObject([{ event: "user.login", userId: ada.id }]);
  expect(await bodyOf("GET", "/person", { user: { ...ada, role: "admin" } })).toEqual(ada);
});

test("can reach the granted host and no other", async () => {
  plugin.fetchMock("https://example.com/", { text: "Example" });
  expect(await bodyOf("GET", "/reach")).toMatchObject({ status: 200, length: 7 });
  expect(await bodyOf("GET", "/reach-elsewhere")).toMatchObject({
    problem: expect.stringContaining("PERMISSION_DENIED"),
  });
  expect(plugin.fetched).toHaveLength(1);
});

test("shows the license, and works without the licensing plugin", async () => {
  expect(await bodyOf("GET", "/licence")).toMatchObject({ problem: expect.any(String) });
  plugin.pluginMock("licensing", () => ({ json: { plan: "Community" } }));
  expect(await bodyOf("GET", "/licence")).toEqual({ status: 200, json: { plan: "Community" } });
});

test("sets request rules and removes them", async () => {
  await plugin.call("PUT", "/guard", { body: { word: "please-block-me" } });
  expect(plugin.guardRules).toMatchObject([{ kind: "pattern", contains: ["please-block-me"] }]);
  await plugin.call("DELETE", "/guard");
  expect(plugin.guardRules).toEqual([]);
});

test("reports its health", async () => {
  expect(await plugin.health()).toMatchObject({ ok: true });
  await plugin.call("POST", "/health", { body: { isWell: false } });
  expect(await plugin.health()).toMatchObject({ ok: false });
  expect(await bodyOf("GET", "/life")).toMatchObject({ ok: false, updatedFrom: null });
});

test("saves a note under any name that a path may contain", async () => {
  for (const name of ["-1", "@", "a".repeat(300)]) {
    const path = `/notes/${name}`;
    expect(await plugin.call("PUT", path, { body: { text: "Hello" } })).toMatchObject({ status: 200 });
    expect(await plugin.call("GET", path)).toMatchObject({ status: 200 });
  }
});

test("responds with 429 when the host's limit is reached", async () => {
  const answers = new Set<number>();
  for (let turn = 0; turn < 12; turn += 1) answers.add((await plugin.call("DELETE", "/guard")).status);
  expect([...answers]).toEqual([200, 429]);
});
