import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import { documentPath } from "../target.ts";
import { schemaNames } from "./share-schemas.ts";

let world: DispatchHost;
beforeAll(async () => {
  world = await createDispatchHost();
});
afterAll(() => world.host.close());

const read = async () => Object(await (await world.visitor.call("GET", documentPath)).json());

type Found = { [key: string]: unknown };
type Call = {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string; required: boolean; schema: Found }[];
  responses: Record<string, Found>;
};
const callsOf = (paths: Record<string, Record<string, Call>>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );

/** Every object within a value, the value itself included. */
const objectsIn = (value: unknown): Found[] => {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? below : [Object(value), ...below];
};

describe("the API's document, as programs read it", () => {
  test("has each schema once: what stands at several places is referred to, by a name that is kept", async () => {
    const { paths, components } = await read();
    const bodies = [...callsOf(paths).map(({ operation }) => ({ ...operation, parameters: [] })), components];
    const schemas = objectsIn(bodies).filter(({ properties, enum: choices }) => properties ?? choices);
    const seen = schemas.map((schema) => JSON.stringify(schema));
    expect(seen.filter((json, at) => seen.indexOf(json) !== at)).toEqual([]);
    expect(Object.keys(components.schemas).sort()).toEqual(["Failure", ...Object.values(schemaNames)].sort());
  });

  test("describes failures once for each status, with the codes that can come", async () => {
    const { paths, components } = await read();
    // Assistants are answered in a form of their own.
    for (const { operation } of callsOf(paths))
      for (const [status, response] of Object.entries(operation.responses))
        if (status >= "400" && operation.operationId !== "postMcp")
          expect(response).toEqual({ $ref: `#/components/responses/Failure${status}` });
    expect(components.responses.Failure404).toMatchObject({
      description: "Not Found: `NOT_FOUND`, `PLUGIN_NOT_FOUND`",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
    });
  });

  test("is written in the words of OpenAPI 3.1 alone", async () => {
    const { paths, components } = await read();
    for (const schema of objectsIn([paths, components.schemas])) {
      expect(Object.keys(schema)).not.toContain("nullable");
      expect(Object.keys(schema)).not.toContain("documented");
      expect(Object.keys(schema)).not.toContain("patternProperties");
      expect(`${schema.format}`).not.toStartWith("atrium-");
      if (Array.isArray(schema.type) && schema.type.includes("null") && Array.isArray(schema.enum))
        expect(schema.enum).toContain(null);
    }
    const { rateLimiting } = components.schemas.CoreSettings.properties;
    expect(Object.keys(rateLimiting.properties.maxRequests)).not.toContain("error");
    expect(rateLimiting.properties.maxRequests).toMatchObject({
      type: "integer",
      minimum: 10,
      maximum: 10_000,
    });
    expect(components.schemas.RateLimitWindow.enum).toContain(900_000);
    expect(components.schemas.Pagination.properties.total).toEqual({ type: "integer" });
  });

  test("names every call in letters and digits", async () => {
    const { paths } = await read();
    const ids = callsOf(paths).map(({ operation }) => operation.operationId);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(ids).toContain("getAuthVerifyEmailByToken");
  });

  test("asks for no parameter that has a default", async () => {
    const { paths } = await read();
    for (const { path, operation } of callsOf(paths)) {
      const { parameters = [] } = operation;
      for (const { required, schema } of parameters)
        if (schema.default !== undefined) expect([path, required]).toEqual([path, false]);
    }
    const { parameters } = paths["/api/admin/activity"].get;
    expect(parameters).toContainEqual({
      name: "limit",
      in: "query",
      required: false,
      description: "How many rows at most",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 25 },
    });
    // Of words, too, where one is meant when none is given.
    const format = paths["/api/admin/contact/export"].get.parameters.find(
      ({ name }: { name: string }) => name === "format",
    );
    expect(format).toMatchObject({ required: false, schema: { enum: ["csv", "ndjson"], default: "csv" } });
  });

  test("puts every call into a group that it describes, those of plugins included", async () => {
    const live = await world.open((ctx) => {
      ctx.routes.get("/a/:id", { summary: "One" }, () => null);
      ctx.routes.get("/a-id", { summary: "Other" }, () => null);
    });
    const { paths, tags } = await read();
    const groups = tags.map(({ name }: { name: string }) => name);
    expect(new Set(groups).size).toBe(groups.length);
    for (const { description } of tags) expect(description.length).toBeGreaterThan(10);
    const used = new Set(callsOf(paths).flatMap(({ operation }) => operation.tags));
    expect([...used].sort()).toEqual(groups.sort());

    const ids = callsOf(paths).map(({ operation }) => operation.operationId);
    expect(ids).toContain("visitor-notes.get-a-id-2");
    expect(new Set(ids).size).toBe(ids.length);
    world.routes.close(live.manifest.name);
  });
});
