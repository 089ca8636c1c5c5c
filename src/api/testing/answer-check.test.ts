import { describe, expect, test } from "bun:test";
import { t } from "elysia";
import { failures } from "#api/modules/fields.ts";
import { compileRoutes } from "#api/plugin-host/dispatch/compile-routes.ts";
import { openApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import type { RouteOptions } from "#plugins/sdk/types.ts";
import { createAnswerCheck } from "./answer-check.ts";
import { startLivePlugin } from "./live-plugin.ts";

const note = t.Object({
  id: t.Integer(),
  at: t.String({ format: "date-time" }),
  by: t.Nullable(t.Object({ name: t.String() })),
  counts: t.Record(t.String(), t.Number()),
});
const check = createAnswerCheck([
  {
    method: "GET",
    path: "/api/notes/:id",
    hooks: { response: { 200: note, 302: t.Any({ contentMediaType: "*/*" }), ...failures("NOT_FOUND") } },
  },
  {
    method: "GET",
    path: "/api/notes/export",
    hooks: { response: { 200: t.Any({ contentMediaType: "text/csv" }) } },
  },
]);
const route = { method: "GET", template: "/api/notes/:id" };
const good = { id: 1, at: "2026-01-31T12:00:00.000Z", by: { name: "Ada" }, counts: { a: 1 } };
const refusal = { success: false, code: "NOT_FOUND", message: "Not found", requestId: "r" };

/** What is said of an answer; `""` for nothing. */
const told = (body: unknown, status = 200, of = route): Promise<string> =>
  check(of, Response.json(body, { status })).then(
    () => "",
    (error: Error) => error.message,
  );

test("an answer that is as described is let pass, and can still be read", async () => {
  const response = Response.json(good);
  await check(route, response);
  expect(await response.json()).toEqual(good);
  expect(await told({ ...good, by: null })).toBe("");
  expect(await told(refusal, 404)).toBe("");
  expect(await told(refusal, 429)).toBe("");
  await check({ method: "DELETE", template: route.template }, new Response("No", { status: 405 }));
});

/** A text as an answer of a media type. */
const typed = (type: string, text = "a,b\r\n", status = 200) =>
  new Response(text, { status, headers: { "content-type": type } });

test("an answer of another media type than the described one fails the test, unless there is nothing in it", async () => {
  const kindOf = (response: Response, of = route) => check(of, response).catch(String);
  const files = { method: "GET", template: "/api/notes/export" };
  expect(await kindOf(typed("text/csv"))).toContain("answered 200 as text/csv, which it does not describe");
  expect(await kindOf(typed("text/plain", "Not found", 404))).toContain("answered 404 as text/plain");
  expect(await kindOf(typed("text/html", "<p>"), files)).toContain("answered 200 as text/html");
  expect(await kindOf(typed("application/json", "{}"), files)).toContain("answered 200 as application/json");
  for (const response of [typed("text/csv; charset=utf-8"), typed("application/x-ndjson", "{}\n")])
    expect(await kindOf(response, files)).toBeUndefined();
  expect(await kindOf(typed("text/html", "<p>", 302))).toBeUndefined();
  expect(await kindOf(typed("text/plain", ""))).toBeUndefined();
  const stopped = new Response("No", { status: 404, headers: { "x-atrium-block": "r" } });
  expect(await kindOf(stopped)).toBeUndefined();
});

test.each<[string, unknown, number, string]>([
  [
    "a status that is not described",
    good,
    201,
    "GET /api/notes/:id answered 201, which its description does not know",
  ],
  [
    "a method that is not supported after all",
    refusal,
    405,
    "GET /api/notes/:id answered 405, which its description does not know",
  ],
  ["a field that is missing", { ...good, id: undefined }, 200, "id: "],
  ["a field of another kind", { ...good, counts: { a: "1" } }, 200, "counts.a: "],
  ["a field that is not described", { ...good, by: { name: "Ada", password: "x" } }, 200, "by.password: "],
  ["a time that is none", { ...good, at: "yesterday" }, 200, "at: "],
  ["a refusal in another form", { error: "Not found" }, 404, "answered 404 with something else"],
  ["a general refusal in another form", { ...refusal, stack: "at x" }, 500, "stack: "],
])("%s fails the test, with the route", async (_, body, status, part) => {
  const text = await told(body, status);
  expect(text).toContain("GET /api/notes/:id");
  expect(text).toContain(part);
});

describe("what a plugin answers", () => {
  const at = { method: "GET", template: "/api/visitor-notes/notes/:id" };
  /** What is said of an answer to a route with these options. */
  const toldOf = async (options: RouteOptions, response: Response, route = at): Promise<string> => {
    const live = await startLivePlugin({ setup: (ctx) => ctx.routes.get("/notes/:id", options, () => null) });
    const paths = openApiPaths(live, compileRoutes(live.runtime.registration, live.granted));
    return createAnswerCheck([], () => paths)(route, response).then(
      () => "",
      (error: Error) => error.message,
    );
  };
  const schema = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
  const answers = { 200: { description: "A note", schema }, 409: { description: "Another is open" } };

  test("is compared with what it describes, its own refusals and the host's among it", async () => {
    expect(await toldOf({ answers }, Response.json({ id: 1 }))).toBe("");
    expect(await toldOf({ answers }, Response.json(refusal, { status: 409 }))).toBe("");
    expect(await toldOf({ answers }, Response.json(refusal, { status: 502 }))).toBe("");
    expect(await toldOf({ answers }, new Response(null, { status: 405 }))).toContain("answered 405");
    const other = { ...at, method: "DELETE" };
    expect(await toldOf({ answers }, new Response(null, { status: 405 }), other)).toBe("");
    expect(await toldOf({ answers }, Response.json({ id: "1" }))).toContain("id: ");
    expect(await toldOf({ answers }, Response.json({ id: 1, secret: "x" }))).toContain("secret: ");
    expect(await toldOf({ answers }, Response.json({ id: 1 }, { status: 201 }))).toContain("answered 201");
    expect(await toldOf({ answers }, Response.json({ error: "x" }, { status: 409 }))).toContain(
      "answered 409",
    );
    const csv = new Response("a,b", { headers: { "content-type": "text/csv" } });
    expect(await toldOf({ answers }, csv)).toContain("answered 200");
  });

  test("is let pass where it describes nothing, and compared as far as it describes something", async () => {
    expect(await toldOf({}, Response.json(["any"]))).toBe("");
    expect(await toldOf({}, new Response("any", { status: 299 }))).toBe("");
    expect(await toldOf({ response: schema }, Response.json({ error: "x" }, { status: 404 }))).toBe("");
    expect(await toldOf({ response: schema }, Response.json({ id: "1" }))).toContain("id: ");
    const mounted = { ...at, template: "/api/visitor-notes/*" };
    expect(await toldOf({ answers }, Response.json({ any: 1 }, { status: 299 }), mounted)).toBe("");
  });
});
