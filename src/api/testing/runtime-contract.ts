import { describe, expect, test } from "bun:test";
import type { StartRuntime } from "#api/plugin-host/runtime.ts";
import { failureOf } from "./failure-of.ts";
import { createProbes, probeRequest } from "./runtime-probe.ts";

/** What every runtime promises of setup and handlers, whatever it runs plugins in. */
export const describeRuntime = (kind: string, start: StartRuntime): void => {
  const { startSource, startWith, startRoute } = createProbes(start);

  describe(`${kind}: setup`, () => {
    test("tells what was registered, in its order, with names to invoke it by", async () => {
      const { runtime } = await startWith(
        `ctx.routes.get("/notes/:id", { access: "user", headers: ["X-Hub"], summary: "A note" }, () => 1);
         ctx.routes.post("/notes", { body: { type: "object" } }, () => 2);
         ctx.schedule.every("tidy", 5000, () => {});
         ctx.on("user.login", () => {});`,
        { more: `description: "Probes", adminPanel: { enabled: true }, health() { return { ok: true }; }` },
      );
      const { routes, jobs, listeners, ...rest } = runtime.registration;
      expect(rest).toEqual({
        ...{ name: "probe", version: "1.0.0", description: "Probes", adminPanel: { enabled: true } },
        ...{ hasHealth: true, hasMigrate: false },
      });
      expect(
        routes.map(({ method, path, access, headers, summary, body }) => ({
          ...{ method, path, access, headers, summary, body },
        })),
      ).toEqual([
        {
          method: "GET",
          path: "/notes/:id",
          access: "user",
          headers: ["x-hub"],
          summary: "A note",
          body: null,
        },
        {
          method: "POST",
          path: "/notes",
          access: "admin",
          headers: [],
          summary: null,
          body: { type: "object" },
        },
      ]);
      expect(jobs).toMatchObject([{ name: "tidy", everyMs: 5_000 }]);
      expect(listeners).toMatchObject([{ event: "user.login" }]);
      const handlers = [...routes, ...jobs, ...listeners].map(({ handler }) => handler);
      expect(new Set(handlers).size).toBe(4);
    });

    test.each([
      ["throws", `throw new Error("no such table")`, /no such table/],
      ["rejects later", `await null; throw new Error("much too late")`, /much too late/],
      [
        "asks for headers that are no names",
        `ctx.routes.get("/notes", { headers: [1] }, () => 1)`,
        /headers/,
      ],
      ["registers what is no route", `ctx.routes.get("notes", () => 1)`, /slash/],
      ["registers a job twice", `for (const i of [1, 2]) ctx.schedule.every("tidy", 5000, () => {})`, /tidy/],
    ])("that %s is a start that fails, with the reason", async (_, setup, reason) => {
      expect(String(await failureOf(startWith(setup)))).toMatch(reason);
    });

    test.each([
      ["no default export", "export const setup = () => {};", /no default export/],
      ["another name", `export default { name: "other", version: "1.0.0", setup() {} };`, /other/],
      ["another version", `export default { name: "probe", version: "2.0.0", setup() {} };`, /2\.0\.0/],
      ["no setup", `export default { name: "probe", version: "1.0.0" };`, /setup/],
      ["what is no JavaScript", "export default {", /./],
    ])("of a bundle with %s fails, with the reason", async (_, source, reason) => {
      expect(String(await failureOf(startSource(source)))).toMatch(reason);
    });

    test("may ask the host, and wait for what it answers", async () => {
      const { runtime, calls } = await startWith(
        `const depth = await ctx.kv.get("depth"); ctx.routes.get("/" + depth, () => depth);`,
        { call: async () => 7 },
      );
      expect(calls).toEqual([{ op: "kv.get", args: ["depth"] }]);
      expect(runtime.registration.routes).toMatchObject([{ path: "/7" }]);
    });

    test("closes the registration when it is over", async () => {
      const { runtime } = await startWith(
        `ctx.routes.post("/late", () => { ctx.routes.get("/more", () => 1); return 1; });`,
      );
      const [route] = runtime.registration.routes;
      expect(await failureOf(runtime.invoke(route?.handler ?? "", probeRequest()))).toMatchObject({
        kind: "threw",
      });
      expect(runtime.registration.routes).toHaveLength(1);
    });

    test("begins with modules as new, however often a plugin was started before", async () => {
      const source = `let starts = 0;
        export default { name: "probe", version: "1.0.0", setup(ctx) {
          starts += 1; ctx.routes.get("/", () => starts); } };`;
      for (let round = 0; round < 2; round += 1) {
        const { runtime } = await startSource(source);
        expect(await runtime.invoke(runtime.registration.routes[0]?.handler ?? "", probeRequest())).toBe(1);
      }
    });
  });

  describe(`${kind}: handlers`, () => {
    test.each([
      ["JSON", "({ body }) => ({ got: body })", { a: [1, null, "ä"] }, { got: { a: [1, null, "ä"] } }],
      ["a promise", "async ({ body }) => body", "text", "text"],
      ["nothing", "() => {}", null, undefined],
      [
        "what is no JSON in it",
        "() => ({ f() {}, d: new Date(0), n: NaN })",
        null,
        { d: "1970-01-01T00:00:00.000Z", n: null },
      ],
      [
        "an answer of its own",
        "() => ctx.respond({ status: 201, text: 'made' })",
        null,
        { $response: { status: 201, text: "made" } },
      ],
      [
        "data that looks like one",
        "({ body }) => body",
        { $response: { status: 500 } },
        { $response: { json: { $response: { status: 500 } } } },
      ],
    ])("answer %s", async (_, handler, body, expected) => {
      const { invoke } = await startRoute(handler);
      expect(await invoke(body)).toEqual(expected as never);
    });

    test.each([
      ["throws", "() => { throw new Error('odd'); }", "threw", /odd/],
      ["rejects", "async () => { throw new TypeError('odd'); }", "threw", /TypeError: odd/],
      ["throws what is no error", "() => { throw 'odd'; }", "threw", /odd/],
      ["waits for ever", "() => new Promise(() => {})", "timeout", /./],
      ["answers with too much", "() => 'x'.repeat(1_100_000)", "too-large", /./],
    ])("that %s have no result, and the plugin keeps running", async (_, handler, kindOfError, message) => {
      const { invoke, runtime } = await startRoute(handler, {
        limits: { memoryMB: 32, cpuMs: 200, wallMs: 300 },
      });
      const failure = await failureOf(invoke());
      expect(failure).toMatchObject({ name: "InvocationError", kind: kindOfError });
      expect(String(failure)).toMatch(message);
      expect(await runtime.health()).toEqual({ ok: true });
    });

    test("that are unknown are refused", async () => {
      const { runtime } = await startRoute("() => 1");
      expect(await failureOf(runtime.invoke("r99", probeRequest()))).toMatchObject({
        name: "InvocationError",
      });
    });

    test("handle 32 simultaneous calls, and no more", async () => {
      const { invoke } = await startRoute("async () => { await ctx.kv.get('slow'); return 1; }", {
        call: () => new Promise((resolve) => setTimeout(() => resolve(null), 200)),
      });
      const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => invoke()));
      const refused = outcomes.filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(8);
      for (const outcome of refused) expect(outcome).toMatchObject({ reason: { kind: "too-many" } });
      expect(await invoke()).toBe(1);
    });

    test("cannot reach into what they were given", async () => {
      const { invoke } = await startRoute("({ body }) => { body.list.push(2); return body; }");
      const body = { list: [1] };
      expect(await invoke(body)).toEqual({ list: [1, 2] });
      expect(body).toEqual({ list: [1] });
    });
  });
};
