import { afterEach, describe, expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { PluginFault } from "./host-functions/plugin-fault.ts";
import type {
  HostOp,
  PluginProgram,
  PluginRuntime,
  RuntimeFailure,
  RuntimeHost,
  StartRuntime,
} from "./runtime.ts";

type Started = {
  runtime: PluginRuntime;
  calls: { op: HostOp; args: Json[] }[];
  lines: { level: string; message: string }[];
  failures: RuntimeFailure[];
};

type StartOptions = Partial<PluginProgram> & { call?: RuntimeHost["call"] };

/** What every runtime promises, whatever it runs plugins in. */
export const describeRuntime = (kind: string, start: StartRuntime): void => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  /** Starts a plugin whose set-up has that body. */
  const startWith = (setup: string, { more = "", ...options }: StartOptions & { more?: string } = {}) =>
    startSource(
      `export default { name: "probe", version: "1.0.0", async setup(ctx) { ${setup} }, ${more} };`,
      options,
    );

  const startSource = async (source: string, { call, ...program }: StartOptions = {}): Promise<Started> => {
    const seen: Omit<Started, "runtime"> = { calls: [], lines: [], failures: [] };
    const host: RuntimeHost = {
      call: async (op, args) => {
        seen.calls.push({ op, args });
        return call?.(op, args);
      },
      log: (level, message) => void seen.lines.push({ level, message }),
      failed: (failure) => void seen.failures.push(failure),
    };
    const runtime = await start(
      {
        ...{
          name: "probe",
          version: "1.0.0",
          source,
          permissions: ["routes"],
          settings: {},
          replica: "here",
        },
        limits: { memoryMB: 32, cpuMs: 200, wallMs: 1_000 },
        ...program,
      },
      host,
    );
    endings.push(() => runtime.stop("shutdown"));
    return { ...seen, runtime };
  };

  const request = (body: Json = null): Json => ({
    ...{
      id: "1",
      method: "POST",
      path: "/",
      params: {},
      query: {},
      headers: {},
      body,
      user: null,
      ip: "::1",
    },
  });

  describe(`${kind}: set-up`, () => {
    test("tells what was registered, in its order, with names to invoke it by", async () => {
      const { runtime } = await startWith(
        `ctx.routes.get("/notes/:id", { access: "user", summary: "A note" }, () => 1);
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
        routes.map(({ method, path, access, summary, body }) => ({ method, path, access, summary, body })),
      ).toEqual([
        { method: "GET", path: "/notes/:id", access: "user", summary: "A note", body: null },
        { method: "POST", path: "/notes", access: "admin", summary: null, body: { type: "object" } },
      ]);
      expect(jobs).toMatchObject([{ name: "tidy", everyMs: 5_000 }]);
      expect(listeners).toMatchObject([{ event: "user.login" }]);
      const handlers = [...routes, ...jobs, ...listeners].map(({ handler }) => handler);
      expect(new Set(handlers).size).toBe(4);
    });

    test.each([
      ["throws", `throw new Error("no such table")`, /no such table/],
      ["rejects later", `await null; throw new Error("much too late")`, /much too late/],
      ["registers what is no route", `ctx.routes.get("notes", () => 1)`, /slash/],
      ["registers a job twice", `for (const i of [1, 2]) ctx.schedule.every("tidy", 5000, () => {})`, /tidy/],
    ])("that %s is a start that fails, with the reason", async (_, setup, reason) => {
      expect(String(await failureOf(startWith(setup)))).toMatch(reason);
    });

    test.each([
      ["no default export", "export const setup = () => {};", /no default export/],
      ["another name", `export default { name: "other", version: "1.0.0", setup() {} };`, /other/],
      ["another version", `export default { name: "probe", version: "2.0.0", setup() {} };`, /2\.0\.0/],
      ["no set-up", `export default { name: "probe", version: "1.0.0" };`, /setup/],
      ["what is no JavaScript", "export default {", /./],
    ])("of a bundle with %s fails, with the reason", async (_, source, reason) => {
      expect(String(await failureOf(startSource(source)))).toMatch(reason);
    });

    test("closes the registration when it is over", async () => {
      const { runtime } = await startWith(
        `ctx.routes.post("/late", () => { ctx.routes.get("/more", () => 1); return 1; });`,
      );
      const [route] = runtime.registration.routes;
      expect(await failureOf(runtime.invoke(route?.handler ?? "", request()))).toMatchObject({
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
        expect(await runtime.invoke(runtime.registration.routes[0]?.handler ?? "", request())).toBe(1);
      }
    });
  });

  describe(`${kind}: handlers`, () => {
    const route = async (handler: string, options?: StartOptions) => {
      const started = await startWith(`ctx.routes.post("/", ${handler});`, options);
      const [{ handler: id = "" } = {}] = started.runtime.registration.routes;
      return { ...started, invoke: (body?: Json) => started.runtime.invoke(id, request(body)) };
    };

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
      const { invoke } = await route(handler);
      expect(await invoke(body)).toEqual(expected as never);
    });

    test.each([
      ["throws", "() => { throw new Error('odd'); }", "threw", /odd/],
      ["rejects", "async () => { throw new TypeError('odd'); }", "threw", /TypeError: odd/],
      ["throws what is no error", "() => { throw 'odd'; }", "threw", /odd/],
      ["waits for ever", "() => new Promise(() => {})", "timeout", /./],
      ["answers with too much", "() => 'x'.repeat(1_200_000)", "too-large", /./],
    ])("that %s have no result, and the plugin goes on", async (_, handler, kindOfError, message) => {
      const { invoke, runtime } = await route(handler, { limits: { memoryMB: 32, cpuMs: 200, wallMs: 300 } });
      const failure = await failureOf(invoke());
      expect(failure).toMatchObject({ name: "InvocationError", kind: kindOfError });
      expect(String(failure)).toMatch(message);
      expect(await runtime.health()).toEqual({ ok: true });
    });

    test("of which nobody knows are refused", async () => {
      const { runtime } = await route("() => 1");
      expect(await failureOf(runtime.invoke("r99", request()))).toMatchObject({ name: "InvocationError" });
    });

    test("answer 32 calls at once, and no more", async () => {
      const { invoke } = await route("async () => { await ctx.kv.get('slow'); return 1; }", {
        call: () => new Promise((resolve) => setTimeout(() => resolve(null), 200)),
      });
      const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => invoke()));
      const refused = outcomes.filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(8);
      for (const outcome of refused) expect(outcome).toMatchObject({ reason: { kind: "too-many" } });
      expect(await invoke()).toBe(1);
    });

    test("cannot reach into what they were given", async () => {
      const { invoke } = await route("({ body }) => { body.list.push(2); return body; }");
      const body = { list: [1] };
      expect(await invoke(body)).toEqual({ list: [1, 2] });
      expect(body).toEqual({ list: [1] });
    });
  });

  describe(`${kind}: ctx`, () => {
    const ask = async (expression: string, options?: StartOptions) => {
      const started = await startWith(`ctx.routes.post("/", async () => ${expression});`, options);
      const [{ handler = "" } = {}] = started.runtime.registration.routes;
      return { ...started, answer: () => started.runtime.invoke(handler, request()) };
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

    test("knows settings at once, and hears of each change", async () => {
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
      const { runtime, calls, failures } = await startWith(`ctx.routes.post("/", () => 1);`, {
        more: `async teardown(reason) { await globalThis.__ctx?.kv.get(reason); }`,
      });
      await Promise.all([runtime.stop("disable"), runtime.stop("remove")]);
      await runtime.stop("shutdown");
      const [route] = runtime.registration.routes;
      expect(await failureOf(runtime.invoke(route?.handler ?? "", request()))).toMatchObject({
        ...{ name: "InvocationError", kind: "unavailable" },
      });
      expect({ calls, failures }).toEqual({ calls: [], failures: [] });
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
