import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import { kit } from "#api/modules/kit.ts";
import { features } from "#api/operations.ts";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import { documentPath } from "../target.ts";
import { createDocumentReader } from "./api-document.ts";
import { schemaNames } from "./share-schemas.ts";

let world: DispatchHost;

beforeAll(async () => {
  world = await createDispatchHost();
});
afterAll(() => world.host.close());

/** Where a route is in the document. */
const pathOf = (template: string) => template.replace(/:(\w+)/g, "{$1}").replace("*", "{path}");
const access = {
  public: [],
  user: [{ session: [] }],
  admin: (scope: string | null) => [
    { session: ["admin"] },
    { token: scope === null || scope === "any" ? [] : [scope] },
    { operator: [] },
  ],
  operator: [{ operator: [] }],
};

const resolved = (schema: { $ref?: string; type?: string }, components: { schemas: object }) =>
  schema.$ref === undefined ? schema : Object(components.schemas)[schema.$ref.split("/").at(-1) ?? ""];

const read = async () => Object(await (await world.visitor.call("GET", documentPath)).json());

describe("the API's document", () => {
  test("is the same, whatever was requested before", async () => {
    const before = await read();
    const other = await createDispatchHost();
    try {
      for (const { method, template } of other.host.app.routes.all)
        if (
          method === "GET" &&
          !template.includes(":") &&
          !template.includes("*") &&
          template !== documentPath
        )
          await (await other.admin.call("GET", template)).body?.cancel();
      const after = await (await other.visitor.call("GET", documentPath)).json();
      expect(after).toEqual({ ...before, servers: after.servers });
    } finally {
      await other.host.close();
    }
  });

  test("leaves the checks of input as they are", async () => {
    await read();
    expect(Value.Check(kit.text({ format: "date" }), "0000-01-01")).toBe(false);
  });

  test("describes every route of the application in OpenAPI 3.1", async () => {
    const { openapi, paths, components } = await read();
    expect(openapi).toBe("3.1.0");
    for (const { method, template } of world.host.app.routes.all) {
      const path = pathOf(template);
      expect(Object.keys(paths)).toContain(path);
      expect(paths[path][method.toLowerCase()]?.summary).toBeString();
    }
    expect(components.securitySchemes.session).toEqual({
      type: "apiKey",
      in: "cookie",
      name: "sid",
      description: expect.any(String),
    });
  });

  test("describes successful responses, and the type of files", async () => {
    const { paths, components } = await read();
    const { content } = paths["/api/plugins/{name}/download"].get.responses[200];
    expect(content).toEqual({
      "application/zip": { schema: { type: "string", contentMediaType: "application/zip" } },
    });
    const exported = paths["/api/admin/activity/export"].get.responses[200].content;
    expect(Object.keys(exported)).toEqual(["text/csv", "application/x-ndjson"]);
    expect(components.schemas.Failure).toMatchObject({ required: expect.arrayContaining(["code"]) });
  });

  test("says who can make each request, a session with its role, the operator or a token, and with which proof", async () => {
    const { paths, components } = await read();
    for (const { method, template, access: level, scope, proof } of world.host.app.routes.all) {
      const { security, "x-proof": told = "none" } = paths[pathOf(template)][method.toLowerCase()];
      expect([template, told]).toEqual([template, proof]);
      // What takes a token alone says so itself.
      if (["/api/metrics", "/api/ready", "/mcp"].includes(template)) continue;
      const admins = access.admin(scope).filter((way) => scope !== "none" || !("token" in way));
      const expected = level === "admin" ? admins : access[level];
      expect([template, security]).toEqual([template, expected]);
    }
    expect(paths["/api/metrics"].get.security).toEqual([{ metrics: [] }]);
    expect(paths["/api/ready"].get.security).toEqual([{}, { metrics: [] }]);
    expect(paths["/mcp"].post.security).toEqual([{ token: [] }]);
    for (const scheme of ["token", "metrics"])
      expect(components.securitySchemes[scheme]).toEqual({
        type: "http",
        scheme: "bearer",
        description: expect.any(String),
      });
    const schemes = ["metrics", "operator", "session", "token"];
    expect(Object.keys(components.securitySchemes).sort()).toEqual(schemes);
  });

  test("describes the body of each request", async () => {
    const { paths, components } = await read();
    for (const { method, template, bodyKind, bodyCheck } of world.host.app.routes.all) {
      const { requestBody } = paths[pathOf(template)][method.toLowerCase()];
      const forms = new Map([
        ["upload", "multipart/form-data"],
        ["form", "application/x-www-form-urlencoded"],
      ]);
      const type = forms.get(bodyKind) ?? "application/json";
      const takesBody = bodyKind === "upload" || bodyKind === "message" || bodyCheck !== null;
      expect([template, Object.keys(requestBody?.content ?? {})]).toEqual([
        template,
        takesBody ? [type] : [],
      ]);
      if (takesBody) expect(resolved(requestBody.content[type].schema, components).type).toBe("object");
    }
    const { schema } = paths["/api/auth/login"].post.requestBody.content["application/json"];
    expect(Object.keys(schema.properties)).toContain("password");
  });

  test("has the routes of a plugin only while it is enabled", async () => {
    const live = await world.open((ctx) =>
      ctx.routes.get("/notes/:id", { summary: "Reads a note", access: "public" }, () => null),
    );
    const described = world.routes.describe();
    const { paths } = await read();
    // Whoever asks again meanwhile costs nothing more.
    expect(world.routes.describe()).toBe(described);
    expect(paths["/api/visitor-notes/notes/{id}"].get).toMatchObject({
      summary: "Reads a note",
      security: [],
    });
    world.routes.close(live.manifest.name);
    expect(Object.keys((await read()).paths)).not.toContain("/api/visitor-notes/notes/{id}");
  });

  test("that could not be created is created again for the next request", async () => {
    const failing = new Set(["routes", "plugins"]);
    const failOnce = (what: string): void => {
      if (failing.delete(what)) throw new Error(`no ${what} yet`);
    };
    const found = Object.defineProperty({}, "/api/visitor-notes", {
      enumerable: true,
      get: () => {
        failOnce("plugins");
        return { get: { summary: "Reads notes", responses: {} } };
      },
    });
    const reader = createDocumentReader({
      ...{
        version: "1.0.0",
        siteName: () => "Northwind",
        appUrl: "https://atrium.test",
        app: () => new Elysia(),
      },
      routes: () => {
        failOnce("routes");
        return [];
      },
      pluginPaths: () => found,
    });
    await expect(reader()).rejects.toThrow("no routes yet");
    await expect(reader()).rejects.toThrow("no plugins yet");
    expect(Object(await reader()).paths).toHaveProperty(["/api/visitor-notes"]);
    expect(reader()).toBe(reader());
  });
});

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
    const own = features.map(({ name }) => `/api/${name}`);
    const calls = callsOf(paths).filter(
      ({ path }) => !own.some((begin) => `${path}/`.startsWith(`${begin}/`)),
    );
    const bodies = [...calls.map(({ operation }) => ({ ...operation, parameters: [] })), components];
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
