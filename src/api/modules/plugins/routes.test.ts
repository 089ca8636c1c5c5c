import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { pluginReplicas, plugins as pluginRows } from "#api/db/schema.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { stayProven } from "#api/testing/stay-proven.ts";

const host = await hostForFile();
const admin = await host.signedIn("admin");
await stayProven(host, admin);
const calls = pluginCalls(admin);
const newRows = createActivityReader(host.services);
await newRows();
afterEach(async () => {
  host.plugins.failures.clear();
  host.plugins.tried.length = 0;
  for (const { name } of await plugins()) await calls.remove(name, "?force=true");
  host.clock.advance(61_000);
  await newRows();
});

const plugins = async (): Promise<{ name: string; enabled: boolean; version: string }[]> => {
  const { body } = await calls.list();
  return JSON.parse(JSON.stringify(body.data));
};
const named = (name: string, more: Record<string, unknown> = {}) =>
  packPlugin({ name, manifest: { title: name[0]?.toUpperCase() + name.slice(1), ...more } });
const install = async (name: string, more: Record<string, unknown> = {}) => {
  expect((await calls.upload(await named(name, more))).status).toBe(201);
};
/** Of calls that were answered the log has a row of its own, which is none of these. */
const types = (rows: LoggedActivity[]) =>
  rows.flatMap(({ type, pluginName }) => (type === "api_call" ? [] : [`${type} ${pluginName}`]));
const stored = async () => withoutLog(await contentsOf(host.db));

test("P6: enabling a plugin that one server keeps off for a while has every server start it, and no other changes anything", async () => {
  await install("alpha");
  expect((await calls.toggle("alpha", true, true)).status).toBe(200);
  const generation = async () => {
    const [row] = await host.db.select().from(pluginRows).where(eq(pluginRows.name, "alpha"));
    return row?.generation ?? 0;
  };
  const before = await generation();
  expect((await calls.toggle("alpha", true)).body.message).toBe("Alpha is already enabled");
  expect(await generation()).toBe(before);
  await host.db.insert(pluginReplicas).values({
    ...{ plugin: "alpha", replica: "another", state: "quarantined", version: "1.0.0", generation: before },
    seenAt: host.clock.now(),
  });
  await newRows();
  expect((await calls.toggle("alpha", true)).body.message).toBe("Alpha enabled");
  expect(await generation()).toBeGreaterThan(before);
  expect(types(await newRows())).toEqual(["plugin_enabled alpha"]);
});

describe("a new plugin", () => {
  test("is installed disabled, with its bytes kept as they came", async () => {
    const bytes = await named("alpha");
    const { status, body } = await calls.upload(bytes);
    expect([status, body.message]).toEqual([201, "Alpha 1.0.0 installed"]);
    expect(body.data).toMatchObject({
      ...{ name: "alpha", title: "Alpha", version: "1.0.0", enabled: false, core: false, tier: "unsigned" },
      ...{ state: "disabled", backendExists: true, frontendExists: false, pendingVersion: null },
    });
    expect(types(await newRows())).toEqual(["plugin_installed alpha"]);
    expect(host.plugins.tried).toEqual([]);
  });

  test("P9: is downloaded byte for byte, under a name that no header can be broken with", async () => {
    const bytes = await named("alpha");
    await calls.upload(bytes);
    const answer = await admin.call("GET", "/api/plugins/alpha/download");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="alpha-plugin.zip"');
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-type")).toBe("application/zip");
    const own = new Uint8Array(await answer.arrayBuffer());
    expect(Buffer.compare(own, bytes)).toBe(0);
    await calls.remove("alpha");
    expect((await calls.upload(own)).status).toBe(201);
  });

  test("asks for consent, and grants exactly what was asked for", async () => {
    const permissions = ["routes", { name: "net.fetch", hosts: ["api.example.com"], reason: "looks up" }];
    await install("beta");
    expect((await calls.toggle("beta", true)).body.code).toBe("CONSENT_REQUIRED");
    await install("alpha", { permissions });
    host.clock.advance(61_000);
    await newRows();
    const refused = await calls.toggle("alpha", true);
    expect([refused.status, refused.body.code]).toEqual([409, "CONSENT_REQUIRED"]);
    expect(refused.body.data).toMatchObject({
      permissions: [{ name: "routes" }, { name: "net.fetch", hosts: ["api.example.com"] }],
      signature: { state: "unsigned" },
    });
    expect(await newRows()).toMatchObject([{ type: "plugin_enabled", status: "failure" }]);
    const { status, body } = await calls.toggle("alpha", true, true);
    expect([status, body.message]).toEqual([200, "Alpha enabled"]);
    expect(body.data).toMatchObject({ enabled: true, state: "running" });
    expect(types(await newRows()).sort()).toEqual(["permission_granted alpha", "plugin_enabled alpha"]);
    const { data } = (await calls.get("alpha")).body;
    expect(data).toMatchObject({ granted: [{ name: "routes", used: 0 }, { name: "net.fetch" }] });
    // Agreed to once, it is not asked about again.
    await calls.toggle("alpha", false);
    expect((await calls.toggle("alpha", true)).status).toBe(200);
  });

  test("that can't start stays disabled, and shows the reason", async () => {
    await install("alpha");
    await newRows();
    host.plugins.failures.set("alpha@1.0.0", "It threw in its setup");
    const { status, body } = await calls.toggle("alpha", true, true);
    expect([status, body.code, body.message]).toEqual([
      409,
      "PLUGIN_START_FAILED",
      "Alpha could not start: It threw in its setup",
    ]);
    expect(await plugins()).toMatchObject([
      { name: "alpha", enabled: false, state: "disabled", error: "It threw in its setup" },
    ]);
    expect(await newRows()).toMatchObject([
      { type: "plugin_failed", status: "failure", pluginName: "alpha" },
    ]);
    host.plugins.failures.clear();
    expect((await calls.toggle("alpha", true, true)).body.data).toMatchObject({ enabled: true, error: null });
  });
});

describe("P4: plugins that need each other", () => {
  const two = async () => {
    await install("alpha");
    await install("beta", { dependsOn: { alpha: "^1.0.0" } });
    await newRows();
  };

  test("are not enabled before what they need, which is named", async () => {
    await two();
    const { status, body } = await calls.toggle("beta", true, true);
    expect([status, body.code, body.message]).toEqual([
      409,
      "DEPENDENCY_DISABLED",
      "Beta needs Alpha ^1.0.0, which is not enabled. Enable it first.",
    ]);
    expect(body.errors).toEqual([
      { path: "alpha", message: "Beta needs Alpha ^1.0.0, which is not enabled. Enable it first." },
    ]);
    await install("gamma", { dependsOn: { delta: "*", alpha: "^2.0.0" } });
    expect((await calls.toggle("gamma", true, true)).body).toMatchObject({
      message:
        "Gamma needs delta, which is not installed, and Alpha ^2.0.0, of which another version is installed. Install a suitable version first.",
      errors: [{ path: "delta" }, { path: "alpha" }],
    });
  });

  test("go off in one transaction with what they need, and are named", async () => {
    await two();
    await install("gamma", { dependsOn: ["beta"] });
    for (const name of ["alpha", "beta", "gamma"]) await calls.toggle(name, true, true);
    await newRows();
    const { body } = await calls.toggle("alpha", false);
    expect(body.message).toBe("Alpha disabled, and with it Gamma and Beta");
    expect((await plugins()).map(({ enabled }) => enabled)).toEqual([false, false, false]);
    expect(types(await newRows())).toEqual([
      "plugin_disabled gamma",
      "plugin_disabled beta",
      "plugin_disabled alpha",
    ]);
  });

  test("keep what they need from being deleted, unless that is forced", async () => {
    await two();
    await calls.toggle("alpha", true, true);
    await calls.toggle("beta", true, true);
    const before = await stored();
    const { status, body } = await calls.remove("alpha");
    expect([status, body.code, body.message]).toEqual([409, "PLUGIN_NEEDED", "Beta needs Alpha"]);
    expect(body.errors).toEqual([{ path: "beta", message: "Beta needs Alpha" }]);
    expect(await stored()).toEqual(before);
    const forced = await calls.remove("alpha", "?force=true");
    expect([forced.status, forced.body.message]).toEqual([200, "Alpha deleted, and disabled Beta"]);
    expect(await plugins()).toMatchObject([{ name: "beta", enabled: false }]);
  });

  test("in a ring are refused", async () => {
    await install("alpha", { dependsOn: ["beta"] });
    await install("beta", { dependsOn: ["alpha"] });
    const { status, body } = await calls.toggle("alpha", true, true);
    expect([status, body.message]).toEqual([409, "Alpha and Beta need each other"]);
  });
});

describe("Z8: a name that is no plugin's is not found and changes nothing:", () => {
  const names = ["__proto__", "constructor", "..%2f..", "%2e%2e", "n".repeat(300), "%F0%9F%92%A5", "core"];
  test.each(names)("%s", async (name) => {
    await install("alpha");
    const before = await stored();
    for (const [method, path, body] of [
      ["POST", "/toggle", { enabled: true, consent: true }],
      ["GET", "/download"],
      ["DELETE", ""],
      ["GET", ""],
      ["GET", "/logs"],
      ["PUT", "/settings", { values: {} }],
      ["POST", "/versions/1.0.0/activate", {}],
    ] as const) {
      const answer = await admin.call(method, `/api/plugins/${name}${path}`, body);
      expect([400, 404, 405, 414]).toContain(answer.status);
    }
    expect(await stored()).toEqual(before);
  });
});

describe("P8: many concurrent requests about one plugin", () => {
  test("are answered one after the other, and the last that was acknowledged counts", async () => {
    await install("alpha");
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    const order: boolean[] = [];
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const enabled = at % 3 === 0;
        const { status } = await calls.toggle("alpha", enabled);
        order.push(enabled);
        return status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await plugins()).toMatchObject([{ enabled: order.at(-1) }]);
  });

  test("as uploads install it once, and as deletes delete it once", async () => {
    const bytes = await named("alpha");
    const count = async (work: () => Promise<{ status: number }>) => {
      const all = await Promise.all(Array.from({ length: 20 }, work));
      return Object.groupBy(all, ({ status }) => String(status));
    };
    const uploads = await count(() => calls.upload(bytes));
    expect([uploads["201"]?.length, uploads["409"]?.length]).toEqual([1, 19]);
    expect(await host.services.objects.list("packages/")).toHaveLength(1);
    const deletes = await count(() => calls.remove("alpha"));
    expect([deletes["200"]?.length, deletes["404"]?.length]).toEqual([1, 19]);
    expect(await host.services.objects.list("packages/")).toEqual([]);
  });

  test("of all kinds leave a whole plugin or none, and never end in a fault of ours", async () => {
    const bytes = await named("alpha");
    const kinds = [
      () => calls.upload(bytes),
      () => calls.toggle("alpha", true, true),
      () => calls.toggle("alpha", false),
      () => calls.remove("alpha"),
    ];
    const all = await Promise.all(Array.from({ length: 28 }, (_, at) => kinds[at % 4]?.()));
    expect(all.filter((answer) => (answer?.status ?? 500) >= 500)).toEqual([]);
    const packages = await host.services.objects.list("packages/");
    expect(packages).toHaveLength((await plugins()).length);
  });
});
