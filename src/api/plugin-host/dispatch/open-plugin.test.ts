import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { enableFactor } from "#api/testing/authenticator.ts";
import { withCookieOf } from "#api/testing/browsers.ts";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { type LivePluginOptions, startLivePlugin } from "#api/testing/live-plugin.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { isPluginName } from "#contract/plugin-names.ts";
import type { Ctx, Json, RouteOptions } from "#plugins/sdk/types.ts";
import type { LivePlugin, NativeExtras } from "../runtime.ts";
import { routesProblem } from "./plugin-routes.ts";

let on: DispatchHost;
beforeAll(async () => {
  on = await createDispatchHost();
});
afterAll(() => on.host.close());
beforeEach(() => on.clear());

/** The plugin as one inside the server that mounted a handler. */
const mounting = (live: LivePlugin, mount: NonNullable<NativeExtras["mount"]>): LivePlugin => {
  const none = { before: [], inspector: null, shaper: null, coreManager: null, onSignal: null };
  return { ...live, runtime: { ...live.runtime, extras: { ...none, mount } } };
};

const notes = "/api/visitor-notes";
const bodyOf = async (response: Response) => JSON.parse(await response.text());

describe("a plugin that is off or away", () => {
  const unknownPath = async (path: string) => {
    const answer = await on.admin.call("GET", path);
    const { requestId: _, ...body } = await bodyOf(answer);
    return { status: answer.status, body, headers: [...answer.headers.keys()].sort() };
  };

  test("has no paths: the answer is that of any unknown one", async () => {
    await on.open((ctx) => ctx.routes.get("/list", () => 1));
    on.routes.close("visitor-notes");
    const nothing = await unknownPath("/api/never-heard-of/list");
    expect(nothing.status).toBe(404);
    expect(await unknownPath(`${notes}/list`)).toEqual(nothing);
    expect(await unknownPath(`${notes}/config`)).toEqual(nothing);
  });

  test("is unavailable while it is on and does not run", async () => {
    on.routes.suspend("visitor-notes");
    for (const method of ["GET", "POST"]) {
      const answer = await on.visitor.call(method, `${notes}/anything`);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    }
  });

  test("could never have the name of anything that the application has below /api", () => {
    const templates = on.host.app.routes.all.map(({ template }) => template);
    const names = templates.flatMap((template) => template.match(/^\/api\/([^/]+)/)?.[1] ?? []);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => name !== "" && isPluginName(name))).toEqual([]);
  });

  test("is replaced in one step: a call under way ends with the version that it began with", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await on.open((ctx) => ctx.routes.get("/version", async () => promise));
    const early = on.admin.call("GET", `${notes}/version`);
    await Bun.sleep(0);
    await on.open((ctx) => ctx.routes.get("/version", () => "new"));
    expect(await bodyOf(await on.admin.call("GET", `${notes}/version`))).toBe("new");
    resolve("old");
    expect(await bodyOf(await early)).toBe("old");
  });

  test("cannot take a path of the application", async () => {
    const setup = (ctx: Ctx) => ctx.routes.get("/user", { access: "public" }, () => "stolen");
    const live = await startLivePlugin({ setup });
    on.routes.open({ ...live, manifest: { ...live.manifest, name: "auth" } });
    expect((await on.visitor.call("GET", "/api/auth/user")).status).toBe(401);
    on.routes.close("auth");
  });
});

describe("GET /api/{plugin}/config", () => {
  test("answers admins with panel and settings where the plugin has no such route", async () => {
    await on.open(() => {}, {
      definition: { adminPanel: { enabled: true, card: { title: "Newer" } } },
      manifest: { adminPanel: { enabled: true, card: { title: "Built in", color: "primary" } } },
    });
    const answer = await on.admin.call("GET", `${notes}/config`);
    expect(await bodyOf(answer)).toMatchObject({
      success: true,
      data: {
        adminPanel: { enabled: true, card: { title: "Newer", color: "primary" } },
        settings: { greeting: "Hello" },
      },
    });
    expect((await on.user.call("GET", `${notes}/config`)).status).toBe(403);
  });

  test("is the plugin's own where it has one", async () => {
    await on.open((ctx) => ctx.routes.get("/config", () => "mine"));
    expect(await bodyOf(await on.admin.call("GET", `${notes}/config`))).toBe("mine");
  });
});

describe("routes that cannot be opened", () => {
  const wrong: [title: string, options: LivePluginOptions, problem: string][] = [
    [
      "two alike",
      { setup: (ctx) => [ctx.routes.get("/:a", () => 1), ctx.routes.get("/:b", () => 1)] },
      "already",
    ],
    ["dots", { setup: (ctx) => ctx.routes.get("/../users", () => 1) }, "plain segments"],
    ["a wildcard", { setup: (ctx) => ctx.routes.get("/*", () => 1) }, "plain segments"],
    ["one name twice", { setup: (ctx) => ctx.routes.get("/:a/:a", () => 1) }, "two parameters"],
    [
      "a schema of numbers for a query",
      {
        setup: (ctx) =>
          ctx.routes.get(
            "/a",
            { query: { type: "object", properties: { n: { type: "integer" } } } },
            () => 1,
          ),
      },
      "strings",
    ],
    [
      "a schema that is none",
      { setup: (ctx) => ctx.routes.post("/a", { body: { type: "none" } }, () => 1) },
      "schema of its body",
    ],
    [
      "patterns that are too large together",
      {
        setup: (ctx) => {
          for (let at = 0; at < 60; at += 1)
            ctx.routes.post(`/r${at}`, { body: { type: "string", pattern: `[a-z]{200}${at}` } }, () => 1);
        },
      },
      "too many patterns",
    ],
    [
      "a level that was not granted",
      { granted: ["routes"], setup: (ctx) => ctx.routes.get("/a", { access: "public" }, () => 1) },
      "routes.public",
    ],
    [
      "a proof from visitors",
      { setup: (ctx) => ctx.routes.get("/a", { access: "public", proof: "recent" }, () => 1) },
      "can't require proof",
    ],
    [
      "no grant at all",
      { granted: [], setup: (ctx) => ctx.routes.get("/a", () => 1) },
      "routes was not granted",
    ],
  ];
  test.each(wrong)("are told of: %s", async (_title, options, problem) => {
    const live = await startLivePlugin(options);
    expect(routesProblem(live)).toContain(problem);
    on.routes.open(live);
    expect((await on.admin.call("GET", `${notes}/a`)).status).toBe(503);
  });
});

describe("what a route requires of a session that is old, and of one without the second factor", () => {
  const options: [title: string, method: "get" | "post", options: RouteOptions, old: number, half: number][] =
    [
      ["a read", "get", {}, 200, 200],
      ["a read that asks for a sign-in", "get", { proof: "recent" }, 403, 200],
      ["a change", "post", {}, 403, 200],
      ["a change that asks for nothing", "post", { proof: "none" }, 200, 200],
      ["a change that asks for the second factor", "post", { proof: "factor" }, 403, 403],
      ["a change by users", "post", { access: "user" }, 200, 200],
      ["a change by users that asks for a sign-in", "post", { access: "user", proof: "recent" }, 403, 200],
    ];
  let old: TestClient;
  let half: TestClient;
  let token: Pick<TestClient, "call">;
  beforeAll(async () => {
    const confirm = "/api/account/confirm";
    old = await on.host.signedIn("admin");
    half = await on.host.signedIn("admin");
    await enableFactor(on.host, half);
    for (const client of [old, half]) await client.call("DELETE", confirm);
    half = withCookieOf(half, await half.call("POST", confirm, { password: testPassword }));
    token = await newTokenClient(on.host, { scopes: ["plugins:read", "plugins:write"] });
  });

  test.each(options)("%s", async (_title, method, route, ofOld, ofHalf) => {
    const proof = route.proof ?? (method === "post" && route.access === undefined ? "recent" : "none");
    await on.open((ctx) => ctx.routes[method]("/a", route, () => 1));
    const statusOf = async (client: Pick<TestClient, "call">) =>
      (await client.call(method.toUpperCase(), `${notes}/a`)).status;
    expect([await statusOf(old), await statusOf(half)]).toEqual([ofOld, ofHalf]);
    expect(await statusOf(token)).toBe(route.access === undefined ? 200 : 403);
    const request = new Request(`http://localhost${notes}/a`, { method });
    expect((await on.host.app.handle(request, { via: "socket" })).status).toBe(200);
    const { paths } = await bodyOf(await on.visitor.call("GET", "/swagger/json"));
    expect(paths[`${notes}/a`][method]["x-proof"] ?? "none").toBe(proof);
  });

  test("is refused as a dry run, which its plugin knows nothing of", async () => {
    let changes = 0;
    const query = { type: "object", properties: { dryRun: { type: "string" } } };
    const live = await startLivePlugin({ name: "native-notes" });
    on.routes.open(mounting(live, () => Response.json(++changes)));
    await on.open((ctx) => {
      ctx.routes.post("/a", () => ++changes);
      ctx.routes.post("/known", { query }, () => ++changes);
      ctx.routes.get("/a", () => changes);
    });
    const call = (method: string, path: string) =>
      on.host.app.handle(new Request(`http://localhost${path}?dryRun=true`, { method }), {
        via: "socket",
      });
    for (const path of [`${notes}/a`, "/api/native-notes/a"]) {
      const refused = await call("POST", path);
      expect([refused.status, (await bodyOf(refused)).errors[0].path]).toEqual([422, "dryRun"]);
    }
    expect(await bodyOf(await call("GET", `${notes}/a`))).toBe(0);
    expect((await call("POST", `${notes}/known`)).status).toBe(200);
    expect(await bodyOf(await call("GET", "/api/native-notes/a"))).toBe(2);
  });

  test("names the API token that it came with, and none for the operator", async () => {
    await on.open((ctx) => ctx.routes.get("/who", ({ token: sent }) => sent?.name ?? null));
    const path = `${notes}/who`;
    expect(await bodyOf(await token.call("GET", path))).toBeString();
    const own = new Request(`http://localhost${path}`);
    expect(await bodyOf(await on.host.app.handle(own, { via: "socket" }))).toBeNull();
  });

  test("what a native plugin mounted is a change, too", async () => {
    const live = await startLivePlugin();
    on.routes.open(mounting(live, async () => new Response("done")));
    const statusOf = async (method: string) => (await old.call(method, `${notes}/deep`)).status;
    expect([await statusOf("GET"), await statusOf("POST")]).toEqual([200, 403]);
  });
});

describe("a call of one plugin to another", () => {
  test("reaches its routes, checked as others, in the caller's name", async () => {
    await on.open((ctx) => {
      const body = { type: "object", required: ["n"] };
      ctx.routes.post(
        "/double/:by",
        { body },
        ({ headers, params, query, user, body: sent }) =>
          ({
            ...{ headers, params, query, user, sent },
          }) as never,
      );
      ctx.routes.get("/text", () => ctx.respond({ status: 203, text: "plain" }));
    });
    const call = (method: "GET" | "POST", path: string, body: Json = null) =>
      on.routes.call("licensing", { name: "visitor-notes", method, path, body });
    expect(await call("POST", "/double/2?q=1", { n: 1 })).toMatchObject({
      status: 200,
      json: {
        headers: { "x-atrium-plugin": "licensing" },
        params: { by: "2" },
        query: { q: "1" },
        user: null,
        sent: { n: 1 },
      },
    });
    expect(await call("GET", "/text")).toMatchObject({ status: 203, text: "plain" });
    expect((await call("POST", "/double/2", {})).status).toBe(422);
    expect((await call("GET", "/nothing")).status).toBe(404);
    expect((await call("POST", "/text")).status).toBe(405);
  });

  test("fails if the plugin is not there", async () => {
    const call = on.routes.call("licensing", {
      name: "visitor-notes",
      method: "GET",
      path: "/a",
      body: null,
    });
    expect(await call.catch((error) => error)).toMatchObject({ name: "UNAVAILABLE" });
  });
});

test("what a native plugin mounted answers admins where no route does", async () => {
  const live = await startLivePlugin({ setup: (ctx) => ctx.routes.get("/own", () => "route") });
  on.routes.open(
    mounting(live, async (request) => new Response(`${request.method} ${await request.text()}`)),
  );
  expect(await (await on.admin.call("POST", `${notes}/deep/path`, { a: 1 })).text()).toBe('POST {"a":1}');
  expect(await bodyOf(await on.admin.call("GET", `${notes}/own`))).toBe("route");
  expect((await on.user.call("GET", `${notes}/deep/path`)).status).toBe(403);
});

test("what a plugin answers otherwise than its author says, a test's host does not let pass", async () => {
  await on.open((ctx) => {
    const schema = { type: "object", properties: { id: { type: "integer" } } };
    ctx.routes.get("/note", { access: "public", response: schema }, () => ({ id: "one" }));
  });
  await expect(on.visitor.call("GET", `${notes}/note`)).rejects.toThrow(
    "GET /api/visitor-notes/note answered 200",
  );
});
