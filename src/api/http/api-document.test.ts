import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import { createDocumentReader } from "./api-document.ts";
import { documentPath } from "./target.ts";

let world: DispatchHost;

beforeAll(async () => {
  world = await createDispatchHost();
});
afterAll(() => world.host.close());

/** Where a route stands in the document. */
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
  test("is the same, whatever was called before", async () => {
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

  test("says what each call answers when it works, and of files which kind they are", async () => {
    const { paths, components } = await read();
    for (const item of Object.values<Record<string, { responses: object }>>(paths))
      for (const { responses } of Object.values(item))
        expect(Object.keys(responses).some((status) => /^[23]/.test(status))).toBe(true);
    const { content } = paths["/api/plugins/{name}/download"].get.responses[200];
    expect(content).toEqual({
      "application/zip": { schema: { type: "string", contentMediaType: "application/zip" } },
    });
    const exported = paths["/api/admin/activity/export"].get.responses[200].content;
    expect(Object.keys(exported)).toEqual(["text/csv", "application/x-ndjson"]);
    expect(components.schemas.Failure).toMatchObject({ required: expect.arrayContaining(["code"]) });
  });

  test("says of each call who may make it: a session, with its role, the operator or a token", async () => {
    const { paths, components } = await read();
    for (const { method, template, access: level, scope } of world.host.app.routes.all) {
      const { security } = paths[pathOf(template)][method.toLowerCase()];
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

  test("says of each call what comes in its body", async () => {
    const { paths, components } = await read();
    for (const { method, template, bodyKind, bodyCheck } of world.host.app.routes.all) {
      const { requestBody } = paths[pathOf(template)][method.toLowerCase()];
      const type = bodyKind === "upload" ? "multipart/form-data" : "application/json";
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

  test("has the routes of a plugin exactly while it is on", async () => {
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

  test("that could not be made is made anew for who asks next, as long as plugins are the same", async () => {
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
      ...{ version: "1.0.0", appUrl: "https://atrium.test", app: () => new Elysia() },
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
