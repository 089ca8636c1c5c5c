import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import { pluginUses } from "#api/db/schema/plugins.ts";
import { users } from "#api/db/schema.ts";
import { type HostOp, hostOps } from "#api/plugin-host/runtime.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createHostFunctionWorld, type HostFunctionWorld } from "#api/testing/host-function-world.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";

let world: HostFunctionWorld;
let read: ReturnType<typeof createActivityReader>;

beforeAll(async () => {
  world = await createHostFunctionWorld();
  read = createActivityReader(world.ctx);
});
afterAll(() => world.close());

const sample: Partial<Record<HostOp, Json[]>> = {
  "kv.get": ["a"],
  "settings.set": [{}],
  "secrets.get": ["token"],
  "activity.log": [{ type: "admin_action", action: "Did it" }],
  "users.get": ["x"],
  "mail.send": [{ to: "a@b.example", subject: "Hello", text: "Text" }],
  "plugins.call": ["others", "GET", "/", null],
  "guard.setRules": [[]],
};

describe("a host call", () => {
  test.each([...hostOps])("%s is refused without its permission", async (op) => {
    const plugin = world.plugin(`none-${op.replace(/[^a-z]/g, "-").toLowerCase()}`, []);
    expect(await failureOf(plugin.call(op, ...(sample[op] ?? ["a"])))).toMatchObject({
      name: "PERMISSION_DENIED",
    });
    expect(plugin.lines.join()).toContain("was not granted");
    const rows = await read();
    expect(rows).toContainEqual(
      expect.objectContaining({ type: "permission_violation", pluginName: plugin.hosted.name }),
    );
  });

  test("is counted by its permission, and so are refusals", async () => {
    const plugin = world.plugin("counted", [{ name: "storage.kv" }]);
    await plugin.call("kv.get", "a");
    // What is allowed is a use, though it fails.
    expect(await failureOf(plugin.call("kv.get", "x".repeat(1_000)))).toMatchObject({ name: "INVALID" });
    await plugin.call("users.get", "x").catch(() => {});
    await world.flush();
    await plugin.call("kv.get", "c");
    await world.flush();
    const uses = await world.ctx.db.select().from(pluginUses);
    const own = uses.filter((use) => use.plugin === "counted");
    expect(own).toContainEqual(expect.objectContaining({ permission: "storage.kv", used: 3, refused: 0 }));
    expect(own).toContainEqual(expect.objectContaining({ permission: "users.read", used: 0, refused: 1 }));
  });

  test("that is refused ten times in a minute has its plugin reported, once", async () => {
    const plugin = world.plugin("pushy", []);
    for (let at = 1; at < pluginLimits.refusalsAllowed; at += 1)
      await plugin.call("kv.get", "a").catch(() => {});
    expect(plugin.violations).toEqual([]);
    await plugin.call("kv.get", "a").catch(() => {});
    expect(plugin.violations).toHaveLength(1);
    const slow = world.plugin("slow", []);
    for (let at = 0; at < 30; at += 1) {
      await slow.call("kv.get", "a").catch(() => {});
      world.ctx.clock.advance(7_000);
    }
    expect(slow.violations).toEqual([]);
  });

  test("that is refused while a route is called, however often, reports no one, and writes few rows", async () => {
    const plugin = world.plugin("called", []);
    await read();
    for (let at = 0; at < 3 * pluginLimits.refusalsAllowed; at += 1)
      expect(await failureOf(plugin.callWithin("kv.get", "a"))).toMatchObject({ name: "PERMISSION_DENIED" });
    expect(plugin.violations).toEqual([]);
    for (let at = 0; at < pluginLimits.refusalsAllowed; at += 1)
      await plugin.call("kv.get", "a").catch(() => {});
    expect(plugin.violations).toHaveLength(1);
  });

  test("tells a plugin nothing of what went wrong inside the server", async () => {
    const plugin = world.plugin("curious", [{ name: "storage.files.read" }]);
    const { get } = world.ctx.objects;
    world.ctx.objects.get = async () => {
      throw new Error("ENOENT /srv/secret");
    };
    expect(await failureOf(plugin.call("files.read", "a"))).toMatchObject({
      name: "FAILED",
      message: "Something went wrong",
    });
    world.ctx.objects.get = async () => {
      throw new AppError("STORAGE_UNAVAILABLE");
    };
    expect(await failureOf(plugin.call("files.read", "a"))).toMatchObject({ name: "UNAVAILABLE" });
    world.ctx.objects.get = get;
  });
});

describe("what plugins may do", () => {
  test("users are known by id, name and role, and nothing else", async () => {
    const plugin = world.plugin("people", [{ name: "users.read" }]);
    const { createUser } = await import("#api/modules/users/index.ts");
    const operator = world.ctx.as({ kind: "operator" });
    const user = await createUser(operator, {
      name: "Ada",
      email: "ada@example.test",
      password: "correct-horse-battery",
      role: "user",
    });
    expect(await plugin.call("users.get", user.id)).toEqual({ id: user.id, name: "Ada", role: "user" });
    expect(await plugin.call("users.get", "' or 1=1 --")).toBeUndefined();
    expect(await plugin.call("users.get", crypto.randomUUID())).toBeUndefined();
    await world.ctx.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, user.id));
    expect(await plugin.call("users.get", user.id)).toBeUndefined();
  });

  test("emails name their plugin, and are limited to a hundred per hour", async () => {
    const plugin = world.plugin("mailer", [{ name: "mail.send" }, { name: "mail.send:anyone" }]);
    const mail = { to: "a@b.example", subject: "Hello", text: "<b>Text</b>" };
    const before = world.ctx.mails.length;
    for (let at = 0; at < pluginLimits.mailsAnHour; at += 1) await plugin.call("mail.send", mail);
    expect(await failureOf(plugin.call("mail.send", mail))).toMatchObject({ name: "LIMIT_EXCEEDED" });
    const sent = world.ctx.mails.slice(before);
    expect(sent).toHaveLength(pluginLimits.mailsAnHour);
    expect(sent[0]?.text).toContain("Test plugin");
    expect(sent[0]?.html).not.toContain("<b>Text");
    for (const bad of [
      { ...mail, to: "a@b.example, c@d.example" },
      { ...mail, subject: "Hello\r\nBcc: c@d.example" },
      { ...mail, to: "a" },
      { ...mail, cc: "c@d.example" },
      {},
    ])
      expect(await failureOf(plugin.call("mail.send", bad))).toMatchObject({ name: "INVALID" });
  });

  test("emails reach users at their stored address, and no one else unless that was granted", async () => {
    const plugin = world.plugin("postman", [{ name: "mail.send" }]);
    const { createUser } = await import("#api/modules/users/index.ts");
    const user = await createUser(world.ctx.as({ kind: "operator" }), {
      ...{ name: "Grace", email: "grace@example.test", password: "correct-horse-battery", role: "user" },
    });
    const mail = { to: "Grace@Example.test", subject: "Hello", text: "Text" };
    const before = world.ctx.mails.length;
    await plugin.call("mail.send", mail);
    expect(world.ctx.mails.slice(before).map(({ to }) => to)).toEqual(["grace@example.test"]);
    for (let at = 0; at < pluginLimits.refusalsAllowed; at += 1)
      expect(await failureOf(plugin.call("mail.send", { ...mail, to: "a@b.example" }))).toMatchObject({
        ...{ name: "INVALID", message: expect.stringContaining("mail.send:anyone") },
      });
    expect(plugin.violations).toEqual([]);
    await world.ctx.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, user.id));
    expect(await failureOf(plugin.call("mail.send", mail))).toMatchObject({ name: "INVALID" });
    expect(world.ctx.mails).toHaveLength(before + 1);
  });

  test("settings can be changed except for secrets, which are read separately", async () => {
    const schema = {
      type: "object",
      properties: { word: { type: "string" }, token: { type: "string", "x-secret": true } },
    };
    const plugin = world.plugin("set", [{ name: "settings.write" }, { name: "secrets.read" }], {
      settings: { schema },
    });
    await plugin.call("settings.set", { word: "a" });
    expect(world.saved).toEqual([{ plugin: "set", patch: { word: "a" } }]);
    expect(await failureOf(plugin.call("settings.set", { token: "a" }))).toMatchObject({ name: "INVALID" });
    expect(await plugin.call("secrets.get", "token")).toBeUndefined();
    world.secrets.set("set/token", "s3cret");
    expect(await plugin.call("secrets.get", "token")).toBe("s3cret");
    for (const field of ["word", "constructor", "__proto__", ""])
      expect(await failureOf(plugin.call("secrets.get", field))).toMatchObject({ name: "INVALID" });
  });

  test("other plugins are called only when they were granted by name", async () => {
    const plugin = world.plugin("caller", [{ name: "plugins.call", plugins: ["others"] }]);
    expect(await plugin.call("plugins.call", "others", "POST", "/a", 1)).toEqual({
      status: 200,
      json: ["caller", "others", "POST", "/a"],
    });
    expect(await failureOf(plugin.call("plugins.call", "third", "GET", "/"))).toMatchObject({
      name: "PERMISSION_DENIED",
    });
    expect(await failureOf(plugin.call("plugins.call", "others", "TRACE", "/"))).toMatchObject({
      name: "INVALID",
    });
    expect(await failureOf(plugin.call("plugins.call", "others", "GET", "a"))).toMatchObject({
      name: "INVALID",
    });
  });

  test("rules for requests are stored once they were understood", async () => {
    const plugin = world.plugin("ruler", [{ name: "request.rules" }]);
    await plugin.call("guard.setRules", []);
    expect(world.rules.get("ruler")).toEqual([]);
    expect(await failureOf(plugin.call("guard.setRules", "no"))).toMatchObject({ name: "INVALID" });
    expect(await plugin.call("guard.stats")).toEqual([{ rule: 0, hits: 3 }]);
  });

  test("rules for requests are set ten times a minute at most, one after the other", async () => {
    const plugin = world.plugin("hasty", [{ name: "request.rules" }]);
    const both = await Promise.all([1, 2].map(() => failureOf(plugin.call("guard.setRules", []))));
    expect(both).toEqual([undefined, expect.objectContaining({ name: "LIMIT_EXCEEDED" })]);
    for (let at = 1; at < pluginLimits.ruleChangesAMinute; at += 1)
      await failureOf(plugin.call("guard.setRules", at % 2 === 0 ? [] : "no"));
    expect(await failureOf(plugin.call("guard.setRules", []))).toMatchObject({ name: "LIMIT_EXCEEDED" });
    const other = world.plugin("patient", [{ name: "request.rules" }]);
    expect(await failureOf(other.call("guard.setRules", []))).toBeUndefined();
    world.ctx.clock.advance(60_000);
    expect(await failureOf(plugin.call("guard.setRules", []))).toBeUndefined();
  });

  test("a file that goes away while it is read is not there, rather than one without a type", async () => {
    const plugin = world.plugin("late", [{ name: "storage.files.read" }, { name: "storage.files.write" }]);
    await plugin.call("files.write", "a.txt", { text: "a" });
    const { list } = world.ctx.objects;
    world.ctx.objects.list = async () => [];
    expect(await plugin.call("files.read", "a.txt")).toBeUndefined();
    world.ctx.objects.list = list;
  });

  test("files are the plugin's own, and their paths cannot lead elsewhere", async () => {
    const plugin = world.plugin("filer", [{ name: "storage.files.read" }, { name: "storage.files.write" }]);
    await plugin.call("files.write", "a/b.txt", { text: "é" });
    expect(await plugin.call("files.read", "a/b.txt")).toEqual({ base64: "w6k=", type: "text/plain" });
    expect(await plugin.call("files.list", "a/")).toEqual([
      { path: "a/b.txt", sizeBytes: 2, type: "text/plain" },
    ]);
    const other = world.plugin("filer-two", [{ name: "storage.files.read" }]);
    expect(await other.call("files.list")).toEqual([]);
    for (const path of ["../x", "a/../../x", "/etc/passwd", "a//b", "", "a\\b", ".hidden", "a/./b"])
      expect(await failureOf(plugin.call("files.read", path))).toMatchObject({ name: "INVALID" });
    // What the object store has no keys for.
    for (const path of ["-1", "a/@b", "+", "a@b", "a..b"])
      expect(await failureOf(plugin.call("files.read", path))).toMatchObject({ name: "INVALID" });
    expect(
      await failureOf(
        plugin.call("files.write", "large", { text: "x".repeat(pluginLimits.pluginFileBytes + 1) }),
      ),
    ).toMatchObject({ name: "LIMIT_EXCEEDED" });
    expect(await plugin.call("files.delete", "a/b.txt")).toBe(true);
    expect(await plugin.call("files.delete", "a/b.txt")).toBe(false);
  });

  test("lines for the activity log stand under the plugin's name, and cannot say everything", async () => {
    const plugin = world.plugin("teller", [{ name: "activity.write" }]);
    await plugin.call("activity.log", {
      type: "admin_action",
      action: "Counted the visitors",
      severity: "medium",
    });
    for (const bad of [
      { type: "plugin_removed", action: "Removed" },
      { type: "admin_action", action: "" },
      { type: "admin_action", action: "a\nb" },
      { type: "admin_action", action: "a", pluginName: "core" },
    ])
      expect(await failureOf(plugin.call("activity.log", bad))).toMatchObject({ name: "INVALID" });
    const own = (await read()).filter(({ pluginName }) => pluginName === "teller");
    expect(own).toMatchObject([
      { type: "admin_action", action: "Counted the visitors", severity: "medium", actorKind: "plugin" },
    ]);
  });

  test("lines for the activity log are a hundred a minute at most", async () => {
    const plugin = world.plugin("chatty", [{ name: "activity.write" }]);
    const say = (at: number) => plugin.call("activity.log", { type: "api_call", action: `Line ${at}` });
    for (let at = 0; at < pluginLimits.activitiesAMinute; at += 1) await say(at);
    expect(await failureOf(say(100))).toMatchObject({ name: "LIMIT_EXCEEDED" });
    world.ctx.clock.advance(60_000);
    expect(await failureOf(say(101))).toBeUndefined();
  });

  test("there are at most a thousand files, however many are written at the same time", async () => {
    const plugin = world.plugin("hoarder", [{ name: "storage.files.write" }]);
    const { list } = world.ctx.objects;
    const kept = new Set(Array.from({ length: pluginLimits.pluginFiles - 2 }, (_, at) => `f${at}`));
    const { put } = world.ctx.objects;
    world.ctx.objects.list = async (prefix) => {
      await Bun.sleep(0);
      return [...kept].map((path) => ({
        key: `plugin-files/hoarder/${path}`.startsWith(prefix) ? `plugin-files/hoarder/${path}` : path,
        ...{ sizeBytes: 1, digest: "", contentType: "text/plain", createdAt: new Date() },
      }));
    };
    world.ctx.objects.put = async (key) => void kept.add(key.replace("plugin-files/hoarder/", ""));
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, at) => failureOf(plugin.call("files.write", `new${at}`, { text: "a" }))),
    );
    Object.assign(world.ctx.objects, { list, put });
    expect(tries.filter((failure) => failure === undefined)).toHaveLength(2);
  });

  test("a plugin uses the database with a few calls at a time, and the others wait their turn", async () => {
    const plugin = world.plugin("busy", [{ name: "storage.files.read" }]);
    const { list } = world.ctx.objects;
    let inside = 0;
    let most = 0;
    world.ctx.objects.list = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await Bun.sleep(0);
      inside -= 1;
      return [];
    };
    await Promise.all(Array.from({ length: 40 }, () => plugin.call("files.list")));
    world.ctx.objects.list = list;
    expect(most).toBe(pluginLimits.databaseCallsAtOnce);
  });
});
