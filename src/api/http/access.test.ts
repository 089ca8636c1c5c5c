import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions, users } from "#api/db/schema.ts";
import { accessMatrix, actors, type MatrixActor } from "#api/testing/access-matrix.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await createTestHost();
});
afterAll(() => host.close());

const clientFor = async (actor: MatrixActor): Promise<TestClient> => {
  if (actor === "anonymous") return host.visitor();
  const client = await host.signedIn(actor === "admin" || actor === "demoted" ? "admin" : "user");
  const id = client.user?.id ?? "";
  if (actor === "demoted") {
    await host.db.update(users).set({ role: "user" }).where(eq(users.id, id));
    host.services.events.publish({ type: "user-changed", userId: id });
  }
  if (actor === "expired") {
    const past = new Date(host.clock.now().getTime() - 1);
    await host.db.update(sessions).set({ expiresAt: past }).where(eq(sessions.userId, id));
  }
  return client;
};

describe("Z2: who may call what", () => {
  test("every route has a row, and every row a route", () => {
    const declared = host.app.routes.all.map(({ method, template }) => `${method} ${template}`);
    expect(declared.sort()).toEqual(Object.keys(accessMatrix).sort());
  });

  for (const [route, row] of Object.entries(accessMatrix)) {
    const [method = "", template = ""] = route.split(" ");
    for (const actor of actors) {
      test(`${route} answers ${row.statuses[actor]} to ${actor}`, async () => {
        const client = await clientFor(actor);
        const response = await client.call(method, row.path ?? template, row.body);
        expect(response.status).toBe(row.statuses[actor]);
      });
    }
    test(`${route} is not found under a method that it does not have`, async () => {
      const admin = await clientFor("admin");
      for (const wrong of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
        const response = await admin.call(wrong, row.path ?? template);
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toContain(method);
      }
    });
  }
});

const headersOfRank = [
  "x-admin-bypass",
  "x-bypass",
  "x-admin",
  "x-role",
  "x-user-role",
  "x-user-id",
  "x-user",
  "x-username",
  "x-email",
  "x-forwarded-user",
  "x-forwarded-email",
  "x-forwarded-groups",
  "x-remote-user",
  "remote-user",
  "x-auth-user",
  "x-auth-request-user",
  "x-authenticated-user",
  "x-authenticated-userid",
  "x-webauth-user",
  "x-original-user",
  "x-middleware-subrequest",
  "x-middleware-rewrite",
  "x-original-url",
  "x-original-uri",
  "x-rewrite-url",
  "x-forwarded-prefix",
  "x-forwarded-path",
  "x-forwarded-uri",
  "x-http-method-override",
  "x-http-method",
  "x-method-override",
  "x-internal",
  "x-internal-request",
  "x-service-name",
  "x-api-key",
  "x-access-token",
  "x-debug",
  "x-test",
  "x-testing",
  "x-impersonate-user",
  "authorization",
];

describe("Z1: no header grants a right", () => {
  const adminRoutes = Object.entries(accessMatrix).filter(([, row]) => row.statuses.user === 403);
  for (const actor of ["anonymous", "user"] as const) {
    test(`${actor} gets the same refusal on every admin route with any of ${headersOfRank.length} headers`, async () => {
      const client = await clientFor(actor);
      for (const [route, row] of adminRoutes) {
        const [method = "", template = ""] = route.split(" ");
        const answer = async (headers: Record<string, string>) => {
          const response = await client.call(method, row.path ?? template, row.body, headers);
          const { requestId: _, ...body } = JSON.parse(await response.text());
          return { status: response.status, body };
        };
        const plain = await answer({});
        expect(plain.status).toBe(row.statuses[actor]);
        for (const header of headersOfRank)
          for (const value of ["testing", "admin", "true", "/api/admin"])
            expect(await answer({ [header]: value })).toEqual(plain);
      }
    });
  }
});

describe("Z6: methods", () => {
  test("HEAD of a page of data has its headers and no body", async () => {
    const admin = await clientFor("admin");
    const response = await admin.call("HEAD", "/api/admin");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
  test("HEAD never runs a GET that changes something", async () => {
    const user = await clientFor("user");
    expect((await user.call("HEAD", "/api/auth/logout")).status).toBe(405);
    expect((await user.call("HEAD", "/api/auth/verify-email/none")).status).toBe(405);
    expect((await user.call("GET", "/api/auth/user")).status).toBe(200);
  });
  test("an override header does not change the method", async () => {
    const user = await clientFor("user");
    const response = await user.call("GET", "/api/auth/user", undefined, {
      "x-http-method-override": "POST",
    });
    expect(response.status).toBe(200);
  });
});

describe("Z5: other spellings of a path", () => {
  const spellings = (path: string) => [
    `${path}/`,
    `/${path}`,
    path.replace("/api/", "/api//"),
    path.replace("/api/", "/api/./"),
    path.replace("/api/", "/api/x/../"),
    path.replace("/api/", "/api%2f"),
    path.replace("/a", "/%61"),
    path.replace("/api", "/API"),
    path.replace("/api", "/api;x=1"),
    `${path}%00`,
    `${path}.`,
    `${path}%20`,
    `${path}..%2f`,
    `/x/..${path}`,
    `/.${path}`,
  ];
  test("never reach an admin route, for anybody", async () => {
    const admin = await clientFor("admin");
    for (const path of ["/api/admin", "/api/admin/users", "/api/system/info"]) {
      for (const spelling of spellings(path)) {
        const response = await host.app.handle(
          rawRequest(`http://localhost:3000${spelling}`, admin.cookie ?? ""),
          { via: "tcp", peer: "127.0.0.1" },
        );
        expect([spelling, await response.text()]).not.toEqual([
          spelling,
          expect.stringContaining('"success":true'),
        ]);
      }
    }
  });
});

/** A request whose URL is not tidied up first, as it would come off the wire. */
const rawRequest = (url: string, cookie: string): Request => {
  const request = new Request("http://localhost:3000/", { headers: { cookie, host: "localhost:3000" } });
  Object.defineProperty(request, "url", { value: url });
  return request;
};
