import { expect, spyOn, test } from "bun:test";
import { RE2JS } from "re2js";
import { createDispatchHost } from "#api/testing/dispatch-host.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import type { Ctx, Json, RouteOptions } from "#plugins/sdk/types.ts";
import { compileRoutes } from "./compile-routes.ts";
import { openApiPaths } from "./open-api.ts";
import { routesProblem } from "./plugin-routes.ts";

test("a plugin that is called as a group of the application's own calls has another one all the same", async () => {
  const live = await startLivePlugin({ setup: (ctx) => ctx.routes.get("/", () => []) });
  const manifest = { ...live.manifest, title: "Users" };
  const paths = openApiPaths({ manifest }, compileRoutes(live.runtime.registration, live.granted));
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  expect(operations.map((operation) => Object(operation).tags)).toEqual([
    ["Users (visitor-notes)"],
    ["Users (visitor-notes)"],
  ]);
});

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
    security: [{ session: ["admin"] }, { token: ["plugins:write"] }, { operator: [] }],
    parameters: [{ name: "id", in: "path", required: true }, { name: "part" }],
    requestBody: { required: true, content: { "application/json": { schema: note } } },
    responses: { 401: {}, 403: {}, 422: {} },
  });
  expect(remove).toMatchObject({ security: [{ session: [] }, { operator: [] }] });
  const statuses = (operation: unknown) => Object.keys(Object(operation).responses).join(" ");
  const get = paths["/api/visitor-notes"]?.get;
  expect(statuses(get)).toBe("200 400 401 403 414 421 422 429 500 502 503 default");
  expect(statuses(put)).toBe("200 400 401 403 404 408 413 414 415 421 422 429 500 502 503 507 default");
  expect(statuses(remove)).toBe("200 400 401 403 404 413 414 421 422 429 500 502 503 507 default");
  for (const [status, response] of Object.entries<object>(Object(put).responses))
    if (/^[45]/.test(status)) expect(response).toEqual({ $ref: `#/components/responses/Failure${status}` });
});

/** What is said of `POST /notes` with these options. */
const described = async (options: RouteOptions) => {
  const live = await startLivePlugin({ setup: (ctx) => ctx.routes.post("/notes", options, () => null) });
  const paths = openApiPaths(live, compileRoutes(live.runtime.registration, live.granted));
  return Object(paths["/api/visitor-notes/notes"]?.post);
};

test("what an author says of answers is described, and nothing is left open then", async () => {
  const note = { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 7 } } };
  const { description, responses } = await described({
    description: "Keeps a note for everyone.",
    response: note,
    answers: {
      200: { description: "It was there" },
      202: {
        description: "It will be",
        schema: note,
        example: { id: 9 },
        texts: { "text/csv": "id\r\n9\r\n" },
      },
      204: { description: "Nothing to keep" },
      409: { description: "There are too many" },
      422: { description: "It rhymes" },
    },
  });
  expect(description).toBe("Keeps a note for everyone.");
  expect(responses).not.toHaveProperty("default");
  expect(responses[200]).toEqual({
    description: "It was there",
    content: { "application/json": { schema: note, example: { id: 7 } } },
  });
  expect(responses[202].content).toEqual({
    "application/json": { schema: note, example: { id: 9 } },
    "text/csv": { schema: { type: "string" }, example: "id\r\n9\r\n" },
  });
  expect(responses[204]).toEqual({ description: "Nothing to keep" });
  const failure = { content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } } };
  expect(responses[409]).toEqual({ description: "There are too many", ...failure });
  expect(responses[422]).toMatchObject({
    description: "It rhymes; or Unprocessable Entity: `VALIDATION_FAILED`",
    ...failure,
  });
});

test("what an author says nothing of is said to be undescribed, and may be anything", async () => {
  const { description, responses } = await described({});
  expect(description).toContain("doesn't describe it further");
  expect(responses[200].content["application/json"]).toEqual({
    schema: { description: "The plugin doesn't describe this response" },
    example: {},
  });
  expect(responses.default.content).toEqual({ "*/*": {} });
});

test("examples are made of the author's schemas without running a stranger's pattern, and left out where they would not fit", async () => {
  const slow = "^(?:[0-9a-f]+)+!$";
  const text = (more: object) => ({ type: "string", ...more });
  const body = (properties: Record<string, Json>): Json => ({ type: "object", properties });
  const { requestBody } = await described({ body: body({ sha256: text({ pattern: slow }) }) });
  expect(requestBody.content["application/json"]).toMatchObject({ examples: {} });
  const shown = await described({
    body: body({ sha256: text({ pattern: slow, examples: ["ab!"] }), id: text({ minLength: 6 }) }),
  });
  expect(shown.requestBody.content["application/json"].example).toEqual({ sha256: "ab!", id: "texttt" });
  const on = await createDispatchHost();
  try {
    const names = body({ sha256: text({ pattern: slow }) });
    await on.open((ctx) => ctx.routes.post("/", { body: names, response: names }, () => null));
    const answer = await on.visitor.call("GET", "/swagger/json");
    expect(await answer.text()).toContain(JSON.stringify(slow));
  } finally {
    await on.host.close();
  }
});

test.each<[string, Json, string]>([
  ["a list", [], "must be an object"],
  ["a status that is none", { 99: { description: "x" } }, "have a status from 200 to 599"],
  ["an answer without words", { 200: {} }, "description must be a text"],
  [
    "a schema that is none",
    { 200: { description: "x", schema: { type: "wish" } } },
    "its schema cannot be used",
  ],
  [
    "an example that does not fit",
    { 200: { description: "x", schema: { type: "string" }, example: 3 } },
    "does not fit",
  ],
  ["a media type that is none", { 200: { description: "x", texts: { csv: "a" } } }, "not a text media type"],
  [
    "an example of a table that is no text",
    { 200: { description: "x", texts: { "text/csv": 3 } } },
    "must be a text",
  ],
  ["words that turn around what follows", { 200: { description: "Fine \u202e" } }, "invisible"],
  ["words with a control character", { 200: { description: "Fine \u001b[2J" } }, "invisible"],
  ["a table with one", { 200: { description: "x", texts: { "text/csv": "a\u0000" } } }, "invisible"],
  [
    "a schema's words with one",
    {
      200: {
        description: "x",
        schema: { type: "array", items: { anyOf: [{ type: "null" }, { title: "\u2066x" }] } },
      },
    },
    "a title in it contains invisible characters",
  ],
])("answers that cannot be described keep a plugin from opening: %s", async (_, answers, part) => {
  const live = await startLivePlugin({
    setup: (ctx) => ctx.routes.get("/", asOptions({ answers }), () => null),
  });
  expect(routesProblem(live)).toContain(part);
});

test.each<[string, RouteOptions]>([
  ["the body", { body: { type: "object", properties: { id: { description: "\u202eid", type: "string" } } } }],
  ["the query", { query: { type: "object", properties: { id: { title: "\u0007", type: "string" } } } }],
  ["the path", { params: { id: "\u2067The note" } }],
])("words for people that hide or turn something keep a plugin from opening: of %s", async (_, options) => {
  const live = await startLivePlugin({ setup: (ctx) => ctx.routes.post("/:id", options, () => null) });
  expect(routesProblem(live)).toContain("invisible");
});

test("words for people may have several lines, and the table of an example its own line breaks", async () => {
  const answers = { 200: { description: "One\ntwo", texts: { "text/csv": "a\tb\r\n1\t2\r\n" } } };
  expect((await described({ answers })).responses[200].description).toBe("One\ntwo");
});

test("a place in a path may be called what every object knows", async () => {
  const live = await startLivePlugin({
    setup: (ctx) => {
      ctx.routes.get("/p/:constructor/:toString", { params: { toString: "As a text" } }, () => null);
    },
  });
  const paths = openApiPaths(live, compileRoutes(live.runtime.registration, live.granted));
  expect(Object(paths["/api/visitor-notes/p/{constructor}/{toString}"]?.get).parameters).toMatchObject([
    { description: "Path parameter `constructor` of the plugin" },
    { description: "As a text" },
  ]);
});

/** Nobody checks an author's JavaScript before it runs. */
const asOptions = (options: object) => options as RouteOptions;

test("what the host answers at /config is described, unless the plugin has a route of its own there", async () => {
  const describe = async (setup: (ctx: Ctx) => void) => {
    const live = await startLivePlugin({ setup });
    return openApiPaths(live, compileRoutes(live.runtime.registration, live.granted));
  };
  const path = "/api/visitor-notes/config";
  expect((await describe(() => {}))[path]?.get).toMatchObject({
    security: [{ session: ["admin"] }, { token: ["plugins:read"] }, { operator: [] }],
  });
  const own = await describe((ctx) => {
    ctx.routes.get("/config", { summary: "Mine", access: "public" }, () => null);
    ctx.routes.put("/config", () => null);
  });
  expect(own[path]).toMatchObject({ get: { summary: "Mine", security: [] }, put: {} });
});

test("reading the description compiles nothing: a plugin's schemas are compiled once while it is open", async () => {
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
