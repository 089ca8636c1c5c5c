import { describe, expect, test } from "bun:test";
import { t } from "elysia";
import { accessLevels, routeScopes } from "#api/door/access.ts";
import type { Route } from "#api/door/exchange.ts";
import { proofs } from "#contract/proof.ts";
import type { DeclaredRoute } from "./route-table.ts";
import { createRouteTable } from "./route-table.ts";

const declared = (method: string, path: string, hooks: unknown): DeclaredRoute => ({ method, path, hooks });

describe("Z2: a route that does not say who may call it stops the start, and is named:", () => {
  const careless: [string, unknown][] = [
    ["no hooks at all", undefined],
    ["hooks without an access", { detail: { summary: "Careless" } }],
    ["a level that is none", { access: "everybody" }],
    ["a level in other letters", { access: "Admin" }],
    ["an empty level", { access: "" }],
    ["a list of levels", { access: ["admin"] }],
    ["a truth", { access: true }],
  ];
  test.each(careless)("%s", (_title, hooks) => {
    const routes = [
      declared("GET", "/api/fine", { access: "public" }),
      declared("POST", "/api/planted", hooks),
    ];
    expect(() => createRouteTable(routes)).toThrow("POST /api/planted does not say who may call it");
  });

  test("each of the levels that there are is taken", () => {
    const routes = accessLevels.map((access) => declared("GET", `/api/${access}`, { access, scope: "all" }));
    expect(createRouteTable(routes).all.map(({ access }) => access)).toEqual([...accessLevels]);
  });
});

describe("Z2: a route for admins that does not say which API tokens may call it stops the start, and is named:", () => {
  test.each([[undefined], ["plugin"], ["plugins:read"], [["plugins"]], [true], ["*"]])("%p", (scope) => {
    const routes = [declared("POST", "/api/planted", { access: "admin", scope })];
    expect(() => createRouteTable(routes)).toThrow(
      "POST /api/planted does not say which API tokens may call it",
    );
  });

  test("each of the scopes that there are is taken, and the method says whether to read or to write", () => {
    const scopesOf = (method: string, more: object = {}) =>
      createRouteTable(
        routeScopes.map((scope) =>
          declared(method, `/api/${scope}`, { access: "admin", scope, proof: "none", ...more }),
        ),
      ).all.map(({ scope }) => scope);
    // Rights of their own, whatever the method says.
    const one = ["plugins:settings", "settings:security", "backups:read"] as const;
    const read: Route["scope"][] = [
      "plugins:read",
      "settings:read",
      "activity:read",
      "users:read",
      ...one,
      "*",
      "any",
    ];
    const write: Route["scope"][] = [
      "plugins:write",
      "settings:write",
      "activity:write",
      "users:write",
      ...one,
      "*",
      "any",
    ];
    expect(scopesOf("GET")).toEqual(read);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(scopesOf(method)).toEqual(write);
    expect(scopesOf("GET", { stateChange: "by-cookie" })).toEqual(write);
    expect(scopesOf("POST", { scopeRight: "read" })).toEqual(read);
    expect(scopesOf("GET", { scopeRight: "write" })).toEqual(write);
    expect(new Set(scopesOf("POST", { tokens: false }))).toEqual(new Set(["none"]));
  });
});

describe("a change for admins that does not say which proof it wants stops the start, and is named:", () => {
  const planted = (method: string, hooks: object) => () =>
    createRouteTable([declared(method, "/api/planted", { access: "admin", scope: "all", ...hooks })]);

  test.each([[undefined], ["soon"], [true], [["recent"]]])("%p", (proof) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(planted(method, { proof })).toThrow(`${method} /api/planted does not say which proof it wants`);
    expect(planted("GET", { proof, stateChange: "by-cookie" })).toThrow("which proof it wants");
  });

  test("each of the levels that there are is taken, and what only reads wants none unless it says so", () => {
    for (const proof of proofs)
      expect(planted("POST", { proof })().all).toMatchObject([{ proof, takesPassword: false }]);
    expect(planted("GET", {})().all).toMatchObject([{ proof: "none" }]);
    expect(planted("GET", { proof: "recent" })().all).toMatchObject([{ proof: "recent" }]);
  });
});

describe("a path", () => {
  const table = createRouteTable([
    declared("GET", "/api/things", { access: "public" }),
    declared("POST", "/api/things", {
      access: "admin",
      scope: "all",
      proof: "none",
      body: t.Object({ name: t.String() }),
    }),
    declared("GET", "/api/things/:id", { access: "user", stateChange: "by-token" }),
    declared("GET", "/api/things/newest", { access: "public" }),
  ]);

  test("and method lead to their route, a parameter's to its template", () => {
    expect(table.find("GET", "/api/things")).toMatchObject({ template: "/api/things", access: "public" });
    expect(table.find("GET", "/api/things/7")).toMatchObject({
      template: "/api/things/:id",
      access: "user",
      stateChange: "by-token",
    });
  });

  test("that is written out goes before one with a parameter", () => {
    expect(table.find("GET", "/api/things/newest")).toMatchObject({ template: "/api/things/newest" });
  });

  test("with other methods only leads to them and the template, an unknown one to nothing", () => {
    expect(table.find("DELETE", "/api/things")).toEqual({ template: "/api/things", allow: ["GET", "POST"] });
    expect(table.find("POST", "/api/things/7")).toEqual({ template: "/api/things/:id", allow: ["GET"] });
    expect(table.find("GET", "/api/things/7/parts")).toBeNull();
    expect(table.find("GET", "/api")).toBeNull();
    expect(table.find("GET", "/api/__proto__")).toBeNull();
  });

  test("has a check of its body where the route declares one", () => {
    const [get, post] = [table.find("GET", "/api/things"), table.find("POST", "/api/things")];
    expect(get).toMatchObject({ bodyCheck: null });
    expect(post).toMatchObject({ bodyCheck: expect.any(Function) });
  });
});
