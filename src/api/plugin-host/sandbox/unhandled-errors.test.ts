import { afterEach, expect, test } from "bun:test";
import { pluginSource, type SandboxedPlugin, startSandboxed } from "#api/testing/sandboxed-plugin.ts";
import { until } from "#api/testing/until.ts";
import { pluginLimits } from "#contract/plugins.ts";

const started: SandboxedPlugin[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ runtime }) => runtime.stop("shutdown")));
});

/** A plugin whose one route does that. */
const startWith = async (route: string): Promise<SandboxedPlugin> => {
  const plugin = await startSandboxed(
    pluginSource(`ctx.routes.get("/", () => { ${route} }); ctx.routes.get("/well", () => "well");`),
    { onCall: () => Promise.reject({ name: "UNAVAILABLE", message: "no database" }) },
  );
  started.push(plugin);
  return plugin;
};

const cases: [string, string, RegExp][] = [
  [
    "a function that is not awaited",
    `(async () => { throw new Error("no luck"); })(); return "done";`,
    /^error Unhandled rejection: Error: no luck\n.*tried\.js:1/s,
  ],
  [
    "a host call that is not awaited",
    `ctx.kv.set("a", 1); return "done";`,
    /^error Unhandled rejection: UNAVAILABLE: no database/,
  ],
  ["no Error at all", `Promise.reject("luck"); return "done";`, /^error Unhandled rejection: luck$/],
  [
    "what cannot be described",
    `Promise.reject({ toJSON() { throw this; }, toString() { throw this; } }); return "done";`,
    /^error Unhandled rejection: /,
  ],
  [
    "an asynchronous timer",
    `setTimeout(async () => { throw new Error("late"); }, 1); return "done";`,
    /^error Unhandled rejection: Error: late/,
  ],
  [
    "a timer",
    `setTimeout(() => { throw new Error("late"); }, 1); return "done";`,
    /^error Uncaught: Error: late/,
  ],
  [
    "a microtask",
    `queueMicrotask(() => { throw new Error("soon"); }); return "done";`,
    /^error Uncaught: Error: soon/,
  ],
];
test.each(cases)("an error of %s is one line of the plugin's log", async (_, route, line) => {
  const plugin = await startWith(route);
  expect(await plugin.get("/")).toBe("done");
  await until(() => plugin.lines.length > 0);
  expect(await plugin.get("/well")).toBe("well");
  expect(plugin.lines).toEqual([expect.stringMatching(line)]);
  expect(plugin.failures).toEqual([]);
});

test("a rejection that is handled before the plugin has nothing left to do is none", async () => {
  const plugin = await startWith(
    `const late = Promise.reject(new Error("late")); Promise.resolve().then(() => late.catch(() => {}));
     return Promise.all([Promise.reject(1).catch(() => 2), ctx.kv.get("a").catch(() => 3)]);`,
  );
  expect(await plugin.get("/")).toEqual([2, 3]);
  expect(await plugin.get("/well")).toBe("well");
  expect(plugin.lines).toEqual([]);
});

test("a handler that rejects is its caller's error alone", async () => {
  const plugin = await startWith(`return Promise.reject(new Error("no luck"));`);
  await expect(plugin.get("/")).rejects.toThrow("no luck");
  expect(await plugin.get("/well")).toBe("well");
  expect(plugin.lines).toEqual([]);
});

test("a flood of rejections leaves a hundred short lines, and the plugin continues", async () => {
  const plugin = await startWith(
    `for (let n = 0; n < 300; n++) Promise.reject(new Error("x".repeat(5_000))); return "done";`,
  );
  expect(await plugin.get("/")).toBe("done");
  await until(() => plugin.lines.length > 0);
  expect(await plugin.get("/well")).toBe("well");
  expect(plugin.lines).toHaveLength(pluginLimits.logLinesAMinute);
  expect(Math.max(...plugin.lines.map((line) => line.length))).toBe(
    "error ".length + pluginLimits.logLineLength,
  );
  expect(plugin.failures).toEqual([]);
});
