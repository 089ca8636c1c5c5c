import { expect, spyOn, test } from "bun:test";
import { RE2JS } from "re2js";
import { createDispatchHost } from "#api/testing/dispatch-host.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import type { Ctx } from "#plugins/sdk/types.ts";
import { compileRoutes } from "./compile-routes.ts";
import { openApiPaths } from "./open-api.ts";
import { routesProblem } from "./plugin-routes.ts";

test("the routes of a plugin are described with what they take, answer and ask of callers", async () => {
  const note = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
  const query = {
    type: "object",
    required: ["q"],
    properties: { q: { type: "string" }, page: { type: "string" } },
  };
  const live = await startLivePlugin({
    setup: (ctx) => {
      ctx.routes.get("/", { access: "public", response: { type: "array", items: note }, query }, () => []);
      ctx.routes.put("/notes/:id/parts/:part", { body: note, summary: "Changes a note" }, () => null);
      ctx.routes.delete("/notes/:id/parts/:part", { access: "user" }, () => undefined);
    },
  });
  const paths = openApiPaths(live, compileRoutes(live.runtime.registration, live.granted));
  expect(Object.keys(paths).sort()).toEqual([
    "/api/visitor-notes",
    "/api/visitor-notes/config",
    "/api/visitor-notes/notes/{id}/parts/{part}",
  ]);
  expect(paths["/api/visitor-notes"]?.get).toMatchObject({
    security: [],
    parameters: [
      { name: "q", in: "query", required: true, schema: { type: "string" } },
      { name: "page", in: "query", required: false },
    ],
    responses: {
      200: { content: { "application/json": { schema: { type: "array" } } } },
      422: {},
      502: {},
      503: {},
    },
  });
  const { put, delete: remove } = paths["/api/visitor-notes/notes/{id}/parts/{part}"] ?? {};
  expect(put).toMatchObject({
    summary: "Changes a note",
    tags: ["Visitor notes"],
    security: [{ session: ["admin"] }, { operator: [] }],
    parameters: [{ name: "id", in: "path", required: true }, { name: "part" }],
    requestBody: { required: true, content: { "application/json": { schema: note } } },
    responses: { 401: {}, 403: {}, 422: {} },
  });
  const statuses = (operation: unknown) => Object.keys(Object(operation).responses).join(" ");
  expect(statuses(paths["/api/visitor-notes"]?.get)).toBe("200 403 422 429 502 503");
  expect(statuses(put)).toBe("200 400 401 403 408 413 415 422 429 502 503");
  expect(statuses(remove)).toBe("200 401 403 429 502 503");
  for (const [status, { content }] of Object.entries<{ content: object }>(Object(put).responses))
    if (status !== "200")
      expect(content).toEqual({ "application/json": { schema: { $ref: "#/components/schemas/Failure" } } });
});

test("what the host answers at /config is described, unless the plugin has a route of its own there", async () => {
  const describe = async (setup: (ctx: Ctx) => void) => {
    const live = await startLivePlugin({ setup });
    return openApiPaths(live, compileRoutes(live.runtime.registration, live.granted));
  };
  const path = "/api/visitor-notes/config";
  expect((await describe(() => {}))[path]?.get).toMatchObject({ security: [{ session: [] }] });
  const own = await describe((ctx) => {
    ctx.routes.get("/config", { summary: "Mine", access: "public" }, () => null);
    ctx.routes.put("/config", () => null);
  });
  expect(own[path]).toMatchObject({ get: { summary: "Mine", security: [] }, put: {} });
});

test("whoever reads the description has nothing compiled: a plugin's schemas are compiled once while it is open", async () => {
  const on = await createDispatchHost();
  const compile = spyOn(RE2JS, "compile");
  try {
    const live = await on.open((ctx) => {
      for (const path of ["/a", "/b"])
        ctx.routes.post(path, { body: { type: "string", pattern: "^only-here$" } }, () => null);
    });
    expect(routesProblem(live)).toBe(null);
    for (let at = 0; at < 2; at += 1) {
      const answer = await on.visitor.call("GET", "/swagger/json");
      expect(await answer.text()).toContain("^only-here$");
    }
    expect(compile.mock.calls.filter(([pattern]) => pattern.includes("only-here"))).toHaveLength(1);
    on.routes.close("visitor-notes");
    expect(await (await on.visitor.call("GET", "/swagger/json")).text()).not.toContain("only-here");
  } finally {
    compile.mockRestore();
    await on.host.close();
  }
});
