import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import { lintAnswered } from "./lint-document.ts";

let on: DispatchHost;

beforeAll(async () => {
  on = await createDispatchHost();
});
afterAll(() => on.host.close());

test("a plugin that says nothing of its routes leaves the document as the linter of OpenAPI documents wants it", async () => {
  const text = { type: "string" };
  const page = { type: "object", properties: { page: text } };
  await on.open(({ routes }) => {
    routes.get("/", { access: "public" }, () => null);
    routes.get("/notes/:id/parts/:part", { query: page }, () => null);
    routes.post("/notes", { access: "user", body: page }, () => null);
    routes.put("/notes/:id", () => null);
    routes.patch("/any", { body: {}, response: { type: "array", items: text } }, () => null);
    routes.delete("/notes/:id", { answers: { 204: { description: "Gone" } } }, () => null);
    routes.get(
      "/table",
      { answers: { 200: { description: "A table", texts: { "text/csv": "a" } } } },
      () => "a",
    );
  });
  const document = await (await on.visitor.call("GET", "/swagger/json")).json();
  expect(document.paths["/api/visitor-notes/notes/{id}"].put.responses).toHaveProperty("default");
  expect(await lintAnswered(document)).toEqual([]);
});
