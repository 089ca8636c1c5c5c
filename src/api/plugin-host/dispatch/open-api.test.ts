import { expect, test } from "bun:test";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { compileRoutes } from "./compile-routes.ts";
import { openApiPaths } from "./open-api.ts";

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
  expect(Object.keys(paths)).toEqual(["/api/visitor-notes", "/api/visitor-notes/notes/{id}/parts/{part}"]);
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
    security: [{ session: [] }],
    parameters: [{ name: "id", in: "path", required: true }, { name: "part" }],
    requestBody: { required: true, content: { "application/json": { schema: note } } },
    responses: { 401: {}, 403: {}, 422: {} },
  });
  expect(Object.keys(Reflect.get(Object(remove), "responses"))).toEqual(["200", "401", "502", "503"]);
});
