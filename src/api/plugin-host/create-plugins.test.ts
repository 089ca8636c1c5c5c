import { expect } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { livePlugins } from "#api/testing/live-plugins.ts";
import { packPlugin, type TestPackage } from "#api/testing/plugin-package.ts";
import { until } from "#api/testing/until.ts";

// Plugins run in processes of their own here, and everything between a call and such a process is the product's.

const name = "visitor-notes";
const permissions = [
  "routes",
  "routes.public",
  "storage.kv",
  "settings.write",
  "secrets.read",
  "events",
  "schedule",
];
const schema = {
  type: "object",
  properties: { depth: { type: "integer", default: 3 }, key: { type: "string", "x-secret": true } },
};
const backend = `export default {
  name: "${name}", version: "1.0.0",
  setup(ctx) {
    ctx.routes.get("/state", () => ({ settings: ctx.settings.all() }));
    ctx.routes.get("/keys", async () => (await ctx.kv.list()).keys);
    ctx.routes.get("/hello", { access: "public" }, () => ({ hello: "you" }));
    ctx.routes.post("/depth", async ({ body }) => { await ctx.settings.set({ depth: body }); return null; });
    ctx.routes.get("/secret", async () => [(await ctx.secrets.get("key")) ?? null]);
    ctx.routes.get("/users", () => ctx.users.get("1"));
    ctx.routes.get("/hang", () => { for (;;) {} });
    ctx.schedule.every("tidy", 1000, async () => { await ctx.kv.set("tidied", true); });
    ctx.schedule.every("broken", 1000, () => { throw new Error("no ink"); });
    ctx.on("user.login", async () => { await ctx.kv.set("seen", true); });
    ctx.settings.onChange(async (next) => { await ctx.kv.set("depth", next.depth); });
  },
};`;
const page: TestPackage = {
  manifest: {
    permissions: [...permissions, "ui.page"],
    settings: { schema },
    frontend: { entry: "frontend/index.js", mode: "iframe" },
  },
  files: { "frontend/index.js": "export default 1;", "frontend/logo.svg": "<svg/>" },
};

const host = await hostForFile({ livePlugins: livePlugins() });
const admin = await host.signedIn("admin");
const form = new FormData();
form.set("plugin", new File([Buffer.from(await packPlugin({ backend, ...page }))], "plugin.zip"));
const sent = new Request("http://localhost", { method: "POST", body: form });
const response = await host.request("/api/plugins/upload", {
  method: "POST",
  headers: {
    ...{ origin: "http://localhost:3000", cookie: admin.cookie ?? "" },
    "content-type": sent.headers.get("content-type") ?? "",
  },
  body: await sent.arrayBuffer(),
});
expect([response.status, await response.text()]).toMatchObject([201, expect.anything()]);

const toggle = (enabled: boolean) =>
  admin.call("POST", `/api/plugins/${name}/toggle`, { enabled, consent: enabled });
const read = async (path: string) => (await admin.call("GET", `/api/${name}${path}`)).json();

// One plugin is enabled, used, disabled, enabled again, and one of its routes paused.
const step = inOrder();

step("until it is enabled there is nothing of it", async () => {
  expect((await admin.call("GET", `/api/${name}/state`)).status).toBe(404);
  expect(host.services.plugins.observe(name).state).toBe("disabled");
});

step("enabled, its routes answer whom they are for", async () => {
  expect((await toggle(true)).status).toBe(200);
  const visitor = host.visitor();
  expect((await visitor.call("GET", `/api/${name}/state`)).status).toBe(401);
  expect((await (await host.signedIn("user")).call("GET", `/api/${name}/state`)).status).toBe(403);
  expect(await read("/state")).toMatchObject({ settings: { depth: 3 } });
  expect(await (await visitor.call("GET", `/api/${name}/hello`)).json()).toEqual({ hello: "you" });
});

step("settings that it saves, and those that admins save, reach it without a start", async () => {
  const { startedAt } = host.services.plugins.observe(name);
  expect((await admin.call("POST", `/api/${name}/depth`, 7)).status).toBe(200);
  await until(async () => Object(await read("/state")).settings.depth === 7);
  const saved = await admin.call("PUT", `/api/plugins/${name}/settings`, {
    values: { depth: 9, key: "canary-of-a-secret" },
  });
  expect([saved.status, await saved.text()]).toMatchObject([200, expect.anything()]);
  await until(async () => Object(await read("/state")).settings.depth === 9);
  expect(await read("/secret")).toEqual(["canary-of-a-secret"]);
  expect(JSON.stringify(await read("/state"))).not.toContain("canary");
  await until(async () => (await read("/keys")).includes("depth"));
  expect(host.services.plugins.observe(name).startedAt).toBe(startedAt);
});

step("its job runs, and it hears of what happens", async () => {
  host.services.happenings.tell({ name: "user.login", userId: "1" });
  host.clock.advance(1_000);
  await until(async () => {
    const keys = await read("/keys");
    return keys.includes("tidied") && keys.includes("seen");
  });
});

step("the reason why its job failed is in its log, with the place in the bundle", async () => {
  await until(async () => {
    const { data } = Object(await (await admin.call("GET", `/api/plugins/${name}/logs`)).json());
    return data.lines.some(
      ({ level, message }: { level: string; message: string }) =>
        level === "error" && message.startsWith(`The job broken: no ink (${name}.js:`),
    );
  });
});

step("what it was not granted is refused, and the uses of what it was are counted", async () => {
  expect((await admin.call("GET", `/api/${name}/users`)).status).toBe(502);
  host.clock.advance(6_000);
  await until(async () => {
    const { data } = Object(await (await admin.call("GET", `/api/plugins/${name}`)).json());
    if (data.refused.length === 0) return false;
    expect(data.refused).toEqual([{ name: "users.read", refused: 1 }]);
    const used = new Map<string, number>(
      data.granted.map((use: { name: string; used: number }) => [use.name, use.used]),
    );
    return ["routes", "routes.public", "storage.kv", "secrets.read", "schedule", "events"].every(
      (permission) => (used.get(permission) ?? 0) > 0,
    );
  });
});

step("its files are served while it is on, by their hash, and never what lies there instead", async () => {
  const { data } = Object(await (await admin.call("GET", `/api/plugins/${name}`)).json());
  const url = `/api/plugins/${name}/assets/${data.versions[0].sha256.slice(0, 12)}`;
  const file = (path: string) => host.visitor().call("GET", `${url}/${path}`);
  expect(await (await file("frontend/logo.svg")).text()).toBe("<svg/>");
  expect((await file("backend/index.js")).status).toBe(404);
  expect((await file("frontend/none.js")).status).toBe(404);
  expect((await host.visitor().call("GET", `/api/plugins/${name}/frame`)).status).toBe(200);
});

step("a handler that hangs costs that call alone", async () => {
  expect((await admin.call("GET", `/api/${name}/hang`)).status).toBe(503);
  await until(async () => (await admin.call("GET", `/api/${name}/hello`)).status === 200);
  const types = (await (await admin.call("GET", `/api/plugins/${name}/logs`)).json()).data.lines;
  expect(JSON.stringify(types)).toContain("CPU time");
});

step("once disabled, all of it is gone immediately", async () => {
  expect((await toggle(false)).status).toBe(200);
  expect((await admin.call("GET", `/api/${name}/state`)).status).toBe(404);
  expect((await host.visitor().call("GET", `/api/plugins/${name}/frame`)).status).toBe(404);
  expect(host.services.plugins.observe(name)).toMatchObject({ state: "disabled", isolation: null });
});

step("a handler that hangs again and again has its route paused, and the plugin stays enabled", async () => {
  expect((await toggle(true)).status).toBe(200);
  const newRows = createActivityReader(host.services);
  await newRows();
  const hang = async () => {
    const { status, headers } = await admin.call("GET", `/api/${name}/hang`);
    return [status, headers.get("retry-after")];
  };
  const lines = async () =>
    JSON.stringify((await (await admin.call("GET", `/api/plugins/${name}/logs`)).json()).data.lines);
  for (let times = 0; times < 3; times += 1) expect(await hang()).toEqual([503, "1"]);
  expect(await lines()).not.toContain("is paused");
  await until(async () => {
    expect(await hang()).toEqual([503, "1"]);
    return (await lines()).includes("GET /hang is paused for 1 s");
  });
  await until(async () => (await admin.call("GET", `/api/${name}/hello`)).status === 200);
  const { data } = Object(await (await admin.call("GET", `/api/plugins/${name}`)).json());
  expect([data.state, data.enabled]).toEqual(["running", true]);
  const told = (await newRows()).filter(({ pluginName }) => pluginName === name);
  expect(told.map(({ action, severity }) => `${action} ${severity}`)).toContain("Route paused high");
  expect(told.map(({ severity }) => severity)).not.toContain("critical");
});
