import { expect, test } from "bun:test";
import { t } from "elysia";
import { failures } from "#api/modules/fields.ts";
import { createAnswerCheck } from "./answer-check.ts";

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
  await check(route, new Response("a,b\r\n", { headers: { "content-type": "text/csv" } }));
});

test.each<[string, unknown, number, string]>([
  [
    "a status that is not described",
    good,
    201,
    "GET /api/notes/:id answered 201, which its description does not know",
  ],
  ["a field that is missing", { ...good, id: undefined }, 200, "id: "],
  ["a field of another kind", { ...good, counts: { a: "1" } }, 200, "counts.a: "],
  ["a field that nobody described", { ...good, by: { name: "Ada", password: "x" } }, 200, "by.password: "],
  ["a time that is none", { ...good, at: "yesterday" }, 200, "at: "],
  ["a refusal in another form", { error: "Not found" }, 404, "answered 404 with something else"],
  ["a general refusal in another form", { ...refusal, stack: "at x" }, 500, "stack: "],
])("%s fails the test, with the route", async (_, body, status, part) => {
  const text = await told(body, status);
  expect(text).toContain("GET /api/notes/:id");
  expect(text).toContain(part);
});

test("routes of plugins, which describe no answers, are left alone", async () => {
  expect(await told({ any: 1 }, 299, { ...route, template: "/api/notes" })).toBe("");
});
