import { describe, expect, test } from "bun:test";
import { PluginFault } from "#api/plugin-host/host-functions/host-function.ts";
import type { StartRuntime } from "#api/plugin-host/runtime.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { failureOf } from "./failure-of.ts";
import { createProbes, type ProbeOptions, probeRequest } from "./runtime-probe.ts";

/** What every runtime promises of `ctx` and of the life of a plugin. */
export const describeRuntimeLife = (kind: string, start: StartRuntime): void => {
  const { startSource, startWith, startRoute } = createProbes(start);

  describe(`${kind}: ctx`, () => {
    const ask = async (expression: string, options?: ProbeOptions) => {
      const { invoke, ...started } = await startRoute(`async () => ${expression}`, options);
      return { ...started, answer: () => invoke() };
    };

    test("says who the plugin is, and what it may", async () => {
      const { answer } = await ask("ctx.plugin");
      expect(await answer()).toEqual({
        name: "probe",
        version: "1.0.0",
        permissions: ["routes"],
        replica: "here",
      });
    });

    test.each([
      ["ctx.kv.get('a')", "kv.get", ["a"]],
      ["ctx.kv.set('a', { b: 1 }, { ttlMs: 5 })", "kv.set", ["a", { b: 1 }, { ttlMs: 5 }]],
      ["ctx.kv.incr('a')", "kv.incr", ["a", null, null]],
      ["ctx.files.write('a.txt', { text: 'x' })", "files.write", ["a.txt", { text: "x" }]],
      ["ctx.settings.set({ depth: 1 })", "settings.set", [{ depth: 1 }]],
      ["ctx.secrets.get('key')", "secrets.get", ["key"]],
      ["ctx.users.get('1')", "users.get", ["1"]],
      ["ctx.guard.setRules([])", "guard.setRules", [[]]],
      ["ctx.plugins.call('other', 'GET', '/')", "plugins.call", ["other", "GET", "/", null]],
    ] as const)("hands %s to the host", async (expression, op, args) => {
      const { answer, calls } = await ask(expression);
      await answer();
      expect(calls).toEqual([{ op, args: [...args] as Json[] }]);
    });

    test("gives what the host answers, undefined as well", async () => {
      const { answer } = await ask("[await ctx.kv.get('a'), (await ctx.kv.get('b')) === undefined]", {
        call: async (_, [key]) => (key === "a" ? { deep: [1] } : undefined),
      });
      expect(await answer()).toEqual([{ deep: [1] }, true]);
    });

    test("throws what the host refuses as an error with its name, which can be caught", async () => {
      const { answer } = await ask("ctx.kv.get('a').catch((e) => [e instanceof Error, e.name, e.message])", {
        call: () => Promise.reject(new PluginFault("PERMISSION_DENIED", "Not granted")),
      });
      expect(await answer()).toEqual([true, "PERMISSION_DENIED", "Not granted"]);
    });

    test("knows settings immediately, and is told of each change", async () => {
      const { runtime, answer, lines } = await ask("[ctx.settings.get('depth'), ctx.settings.all()]", {
        settings: { depth: 1 },
      });
      expect(await answer()).toEqual([1, { depth: 1 }]);
      await runtime.setSettings({ depth: 2 });
      expect(await answer()).toEqual([2, { depth: 2 }]);
      expect(lines).toEqual([]);
    });

    test("calls listeners for settings, whose failures are logged", async () => {
      const { runtime, lines } = await startWith(
        `ctx.settings.onChange((next) => ctx.log("info", "depth", next.depth));
         ctx.settings.onChange(() => { throw new Error("odd"); });`,
      );
      await runtime.setSettings({ depth: 2 });
      expect(lines).toMatchObject([
        { level: "info", message: "depth 2" },
        { level: "error", message: expect.stringContaining("odd") },
      ]);
    });

    test("logs with a level, and never more than a line may hold", async () => {
      const { answer, lines } = await ask(
        "(ctx.log('warn', 'x'.repeat(10_000)), ctx.log('odd', 'y', { a: 1 }), 1)",
      );
      await answer();
      expect(lines.map(({ level, message }) => [level, message.slice(0, 9)])).toEqual([
        ["warn", "xxxxxxxxx"],
        ["info", 'y {"a":1}'],
      ]);
      expect(lines[0]?.message.length).toBeLessThanOrEqual(4_096);
    });
  });

  describe(`${kind}: life`, () => {
    test("health says what the plugin says, and is good without a check", async () => {
      const quiet = await startWith("");
      expect(await quiet.runtime.health()).toEqual({ ok: true });
      const ill = await startWith("", { more: `health() { return { ok: false, detail: "full" }; }` });
      expect(await ill.runtime.health()).toEqual({ ok: false, detail: "full" });
      const broken = await startWith("", { more: `health() { throw new Error("odd"); }` });
      expect(await failureOf(broken.runtime.health())).toMatchObject({
        name: "InvocationError",
        kind: "threw",
      });
    });

    test("migrate gets the former version and can use ctx", async () => {
      const { runtime, calls } = await startWith("", {
        more: `async migrate(ctx, from) { await ctx.kv.set("from", from); }`,
      });
      expect(runtime.registration.hasMigrate).toBe(true);
      await runtime.migrate("0.9.0");
      expect(calls).toMatchObject([{ op: "kv.set", args: ["from", "0.9.0", null] }]);
    });

    test("stop runs the teardown once with its reason; afterwards nothing runs any more", async () => {
      const { runtime, calls, failures } = await startSource(`let kept;
        export default { name: "probe", version: "1.0.0",
          setup(ctx) { kept = ctx; ctx.routes.post("/", () => 1); },
          async teardown(reason) { await kept.kv.get(reason); } };`);
      await Promise.all([runtime.stop("disable"), runtime.stop("remove")]);
      await runtime.stop("shutdown");
      const [route] = runtime.registration.routes;
      expect(await failureOf(runtime.invoke(route?.handler ?? "", probeRequest()))).toMatchObject({
        ...{ name: "InvocationError", kind: "unavailable" },
      });
      expect({ calls, failures }).toEqual({ calls: [{ op: "kv.get", args: ["disable"] }], failures: [] });
    });

    test("a teardown that fails or never ends does not hold the end up", async () => {
      const broken = await startWith("", { more: `teardown() { throw new Error("odd"); }` });
      await broken.runtime.stop("disable");
      const endless = await startWith("", { more: "teardown() { return new Promise(() => {}); }" });
      const began = performance.now();
      await endless.runtime.stop("disable");
      expect(performance.now() - began).toBeLessThan(3_500);
    });
  });
};
