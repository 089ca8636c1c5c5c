import { afterEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startPlugin, type TestedPlugin, type TestOptions } from "./testing.ts";

const started: TestedPlugin[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((plugin) => plugin.stop()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

const permissions = [
  "routes",
  "routes.user",
  "storage.kv",
  "storage.files.write",
  "mail.send",
  "users.read",
  "events",
  "schedule",
  "request.rules",
  { name: "plugins.call", plugins: ["other"] },
];

/** Starts a plugin whose `setup(ctx)` has the given body. */
const start = async (setup: string, options?: TestOptions): Promise<TestedPlugin> => {
  const folder = await mkdtemp(join(tmpdir(), "atrium-kit-"));
  folders.push(folder);
  const files = {
    "plugin.json": JSON.stringify({
      ...{ manifestVersion: 1, name: "tried", version: "1.0.0", permissions },
      backend: { entry: "backend/index.js" },
      settings: { schema: { type: "object", properties: { most: { type: "integer", maximum: 9 } } } },
    }),
    "backend/index.ts": `export default { name: "tried", version: "1.0.0", setup(ctx: any) { ${setup} } };`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const plugin = await startPlugin(folder, options);
  started.push(plugin);
  return plugin;
};

describe("the test kit", () => {
  test("answers as a server does: access, schemas, and nothing of why a plugin failed", async () => {
    const plugin = await start(`
      ctx.routes.get("/mine", { access: "user" }, ({ user }) => user.name);
      ctx.routes.get("/admin", () => 1);
      ctx.routes.post("/n/:id", { body: { type: "object", required: ["n"] } }, ({ params, query, body }) => [params, query, body]);
      ctx.routes.get("/broken", () => { throw new Error("no luck"); });
      ctx.routes.get("/made", () => ctx.respond({ status: 201, headers: { "x-plugin-a": "b" }, text: "made" }));`);
    const user = { id: "1", name: "Ada", role: "user" } as const;
    const statusOf = async (...call: Parameters<TestedPlugin["call"]>) => (await plugin.call(...call)).status;
    expect((await plugin.call("GET", "/mine", { user })).body).toBe("Ada");
    expect(await statusOf("GET", "/admin", { user })).toBe(403);
    expect(await statusOf("GET", "/admin", { user: null })).toBe(401);
    expect(await statusOf("GET", "/absent")).toBe(404);
    expect(await statusOf("DELETE", "/admin")).toBe(405);
    expect(await statusOf("POST", "/n/5", { body: {} })).toBe(422);
    const { body } = await plugin.call("POST", "/n/5", { body: { n: 1 }, query: { q: "a b" } });
    expect(body).toEqual([{ id: "5" }, { q: "a b" }, { n: 1 }]);
    expect(await plugin.call("GET", "/made")).toMatchObject({
      status: 201,
      body: "made",
      headers: { "x-plugin-a": "b" },
    });
    const broken = await plugin.call("GET", "/broken");
    expect(broken.status).toBe(502);
    expect(JSON.stringify(broken)).not.toContain("no luck");
    expect(plugin.logs.at(-1)?.message).toContain("no luck");
  });

  test("has values with a time to live by the host's clock, versions and counters", async () => {
    const now = new Date("2026-01-01T00:00:00Z");
    const plugin = await start(
      `ctx.routes.post("/run", async () => {
        await ctx.kv.set("short", 1, { ttlMs: 1000 });
        await ctx.kv.incr("count", 2);
        const late = await ctx.kv.set("count", 9, { ifVersion: 0 }).catch((error) => error.name);
        return [late, await ctx.kv.incr("count"), await ctx.kv.list("")];
      });
      ctx.routes.get("/short", async () => (await ctx.kv.get("short")) ?? null);`,
      { now },
    );
    const { body } = await plugin.call("POST", "/run");
    expect(body).toEqual(["CONFLICT", 3, { keys: ["count", "short"], cursor: null }]);
    expect((await plugin.call("GET", "/short")).body).toBe(1);
    await plugin.advance(1_001);
    expect((await plugin.call("GET", "/short")).body).toBeNull();
    await plugin.kv.set("seed", { a: 1 });
    expect([await plugin.kv.keys(), await plugin.kv.get("seed")]).toEqual([["count", "seed"], { a: 1 }]);
    await expect(plugin.kv.set("large", "x".repeat(70_000))).rejects.toThrow("at most 64 KB");
  });

  test("keeps what the plugin did: files, emails, rules, calls of other plugins, events and jobs", async () => {
    const plugin = await start(
      `ctx.on("user.login", ({ userId }) => ctx.users.get(userId).then((user) => ctx.log("info", user.name)));
      ctx.schedule.every("daily", 60000, async () => {
        await ctx.files.write("a/b.txt", { text: "hello" });
        await ctx.mail.send({ to: "ada@example.com", subject: "Hi", text: "there" });
        await ctx.guard.setRules([{ kind: "ip", action: "block", cidrs: ["203.0.113.0/24"] }]);
        await ctx.kv.set("other", (await ctx.plugins.call("other", "GET", "/x")).json);
      });`,
      { users: [{ id: "u1", name: "Ada", role: "user", email: "Ada@example.com" }] },
    );
    plugin.pluginMock("other", ({ path }) => ({ json: path }));
    await plugin.runJob("daily");
    await plugin.emit("user.login", { userId: "u1" });
    expect(await plugin.files.read("a/b.txt")).toBe("hello");
    expect(await plugin.files.read("absent")).toBeUndefined();
    expect(plugin.mails).toEqual([{ to: "ada@example.com", subject: "Hi", text: "there" }]);
    expect(plugin.guardRules).toHaveLength(1);
    expect(await plugin.kv.get("other")).toBe("/x");
    expect(plugin.logs.map(({ message }) => message)).toContain("Ada");
    await expect(plugin.runJob("weekly")).rejects.toThrow("There is no job weekly");
  });

  test("sends email only to its users, unless mail.send:anyone was granted", async () => {
    const mail = (to: string) => `ctx.mail.send({ to: "${to}", subject: "Hi", text: "there" })`;
    const plugin = await start(
      `ctx.routes.get("/", async () => ${mail("grace@example.com")}.catch(({ name }) => name));`,
      { users: [{ id: "u1", name: "Ada", role: "user", email: "ada@example.com" }] },
    );
    expect((await plugin.call("GET", "/")).body).toBe("INVALID");
    expect(plugin.mails).toEqual([]);
  });

  test("refuses what was not granted, at the start and later", async () => {
    const route = 'ctx.routes.get("/", () => ctx.kv.get("a"));';
    const plugin = await start(route, { granted: ["routes"] });
    expect((await plugin.call("GET", "/")).status).toBe(502);
    expect(plugin.logs.at(-1)?.message).toContain("The permission storage.kv was not granted: ");
    await expect(start(route, { granted: [] })).rejects.toThrow("It doesn't have the permission routes: ");
    await expect(start(route, { granted: ["native"] })).rejects.toThrow(
      "plugin.json does not ask for native",
    );
  });

  test("tells why a plugin cannot start", async () => {
    await expect(start('throw new Error("no luck");')).rejects.toThrow("no luck");
    await expect(start("", { settings: { most: 10 } })).rejects.toThrow("most");
  });
});
