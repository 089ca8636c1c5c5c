import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions, users } from "#api/db/schema.ts";
import { noBreaker } from "#api/plugin-host/dispatch/invoke-route.ts";
import { createPluginRoutes } from "#api/plugin-host/dispatch/plugin-routes.ts";
import { accessMatrix, actors, type MatrixActor, type MatrixRow } from "#api/testing/access-matrix.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { newPerson } from "#api/testing/people.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import { limits } from "#contract/limits.ts";
import { noPlugins } from "./plugin-entrance.ts";

const plugins = createPluginRoutes({
  log: () => {},
  breaker: noBreaker,
  used: () => {},
  settingsOf: () => ({}),
});
plugins.open(
  await startLivePlugin({ setup: (ctx) => ctx.routes.get("/notes", { access: "admin" }, () => null) }),
);
const host = await hostForFile({
  ...{ hasher: createCheapHasher(), connectionTests: workingConnectionTests },
  entrance: () => ({ ...noPlugins, routes: plugins }),
});

/** Somebody who has registered and then tried to sign in. */
const unverifiedClient = async (): Promise<{ client: TestClient; signIn: Response }> => {
  const client = host.visitor();
  const { name, email, password } = newPerson();
  await client.call("POST", "/api/auth/register", { name, email, password });
  const signIn = await client.call("POST", "/api/auth/login", { email, password });
  return { client, signIn };
};

const clientFor = async (actor: MatrixActor): Promise<TestClient> => {
  if (actor === "anonymous") return host.visitor();
  if (actor === "unverified") return (await unverifiedClient()).client;
  const client = await host.signedIn(actor === "user" || actor === "expired" ? "user" : "admin");
  const id = client.user?.id ?? "";
  const [now, own] = [host.clock.now(), eq(sessions.userId, id)];
  if (actor === "stale") {
    const confirmedAt = new Date(now.getTime() - limits.freshSessionMs);
    await host.db.update(sessions).set({ confirmedAt }).where(own);
  }
  if (actor === "unproven" || actor === "proven") {
    await host.db.update(users).set({ secondFactorAt: now }).where(eq(users.id, id));
    await host.db
      .update(sessions)
      .set({ factorAt: actor === "proven" ? now : null })
      .where(own);
  }
  if (actor === "demoted") {
    await host.db.update(users).set({ role: "user" }).where(eq(users.id, id));
  }
  if (actor === "expired") {
    const past = new Date(now.getTime() - 1);
    await host.db.update(sessions).set({ expiresAt: past }).where(own);
  }
  host.services.events.publish({ type: "user-changed", userId: id });
  return client;
};

/** One for each actor who is refused: that leaves nothing behind, and what is compared before and after stays small. */
const refusedClients = new Map<MatrixActor, Promise<TestClient>>();
const refusedClientFor = (actor: MatrixActor): Promise<TestClient> => {
  const client = refusedClients.get(actor) ?? clientFor(actor);
  refusedClients.set(actor, client);
  return client;
};

/** The code of a refusal: whoever only has to prove more is told so. */
const refusalOf = (actor: MatrixActor, { statuses }: MatrixRow) =>
  (actor === "stale" || actor === "unproven") && statuses.admin !== 403
    ? "REAUTHENTICATION_REQUIRED"
    : "FORBIDDEN";

/** The last request in the log, as far as it says what was asked and answered. */
const lastLogged = () => {
  const { method, route, status } = host.logs.findLast(({ message }) => message === "request")?.fields ?? {};
  return { method, route, status };
};

describe("Z2: who may call what", () => {
  test("every route has a row, and every row a route", () => {
    const declared = host.app.routes.all.map(({ method, template }) => `${method} ${template}`);
    expect(declared.sort()).toEqual(Object.keys(accessMatrix).sort());
  });

  test("a change of one letter is seen by what compares before and after", async () => {
    const { user } = await refusedClientFor("user");
    const before = await fingerprintOf(host.db);
    expect(await fingerprintOf(host.db)).toEqual(before);
    await host.db
      .update(users)
      .set({ name: `${user?.name}.` })
      .where(eq(users.id, user?.id ?? ""));
    const changed = (await fingerprintOf(host.db)).filter((held) => !before.includes(held));
    expect(changed).toEqual([expect.stringMatching(/^users \d+ [0-9a-f]{32}$/)]);
  });

  for (const [route, row] of Object.entries(accessMatrix)) {
    const [method = "", template = ""] = route.split(" ");
    const refused = actors.filter((actor) => row.statuses[actor] >= 400);
    for (const actor of actors.filter((one) => !refused.includes(one)))
      test(`${route} answers ${row.statuses[actor]} to ${actor}`, async () => {
        const response = await (await clientFor(actor)).call(method, row.path, row.body);
        expect(response.status).toBe(row.statuses[actor]);
        expect(lastLogged()).toEqual({ method, route: template, status: row.statuses[actor] });
      });
    if (refused.length > 0)
      test(`${route} refuses ${refused.join(", ")}, changes nothing and logs it`, async () => {
        const clients = new Map<MatrixActor, TestClient>();
        // First who gets as far as an operation, which may have the log written: for them nothing waits yet.
        for (const actor of refused.toSorted((one, other) => row.statuses[other] - row.statuses[one]))
          clients.set(actor, await refusedClientFor(actor));
        await host.services.activity.settle();
        const before = await fingerprintOf(host.db);
        for (const [actor, client] of clients) {
          const response = await client.call(method, row.path, row.body);
          const { code } = await response.json();
          const status = row.statuses[actor];
          expect([actor, response.status]).toEqual([actor, status]);
          if (status === 403) expect([actor, code]).toEqual([actor, refusalOf(actor, row)]);
          expect(lastLogged()).toEqual({ method, route: template, status });
        }
        expect(await fingerprintOf(host.db)).toEqual(before);
      });
    test(`Z6: ${route} is not found under a method that it does not have, which changes nothing`, async () => {
      const admin = await refusedClientFor("admin");
      const before = await fingerprintOf(host.db);
      const had = host.app.routes.all
        .filter((route) => route.template === template)
        .map((route) => route.method);
      const others = ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE", "CONNECT"];
      for (const wrong of others.filter((other) => !had.includes(other))) {
        const call = { method: wrong, path: row.path, body: null };
        const response = await rawCall(host, admin, call);
        expect([wrong, response.status]).toEqual([wrong, 405]);
        expect(response.headers.get("allow")).toContain(method);
        expect(lastLogged()).toEqual({ method: wrong, route: template, status: 405 });
      }
      expect(await fingerprintOf(host.db)).toEqual(before);
    });
  }

  test("who has registered and not followed the link is told so at sign-in, and gets no session", async () => {
    const { client, signIn } = await unverifiedClient();
    expect(signIn.status).toBe(403);
    expect(await signIn.json()).toMatchObject({ code: "EMAIL_NOT_VERIFIED", needsVerification: true });
    expect(signIn.headers.get("set-cookie")).toBeNull();
    expect((await client.call("GET", "/api/auth/user")).status).toBe(401);
  });
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
  /** What decides who may call each route. */
  const kinds = new Map(
    host.app.routes.all.map((route) => [
      `${route.method} ${route.template}`,
      route.isForTokens ? "token" : route.access,
    ]),
  );
  const ofPlugin = { path: "/api/visitor-notes/notes", body: undefined };
  const rows = [
    ...Object.entries(accessMatrix).map(([route, row]) => ({ ...row, route, kind: kinds.get(route) })),
    { ...ofPlugin, statuses: { anonymous: 401, user: 403 }, route: "GET of a plugin", kind: "plugin" },
  ].filter(({ kind }) => kind !== "public");
  for (const [actor, expected] of [
    ["anonymous", ["user", "admin", "token", "operator", "plugin"]],
    ["user", ["admin", "token", "operator", "plugin"]],
  ] as const) {
    test(`${actor} gets the same refusal on every route that is for others with any of ${headersOfRank.length} headers`, async () => {
      const client = await clientFor(actor);
      const seen = new Set<string | undefined>();
      for (const { route, kind, path, body, statuses } of rows) {
        if (statuses[actor] !== 401 && statuses[actor] !== 403) continue;
        const [method = ""] = route.split(" ");
        const answer = async (headers: Record<string, string>) => {
          const response = await client.call(method, path, body, headers);
          const { requestId: _, ...said } = JSON.parse(await response.text());
          return { status: response.status, body: said };
        };
        const plain = await answer({});
        expect([route, plain.status]).toEqual([route, statuses[actor]]);
        for (const value of ["testing", "admin", "true", "/api/admin"]) {
          const all = Object.fromEntries(headersOfRank.map((header) => [header, value]));
          // Together everywhere, and each alone at the first route of a kind: one may hide what another grants.
          const alone = seen.has(kind) ? [] : headersOfRank.map((header) => ({ [header]: value }));
          for (const headers of [all, ...alone])
            expect([route, headers, await answer(headers)]).toEqual([route, headers, plain]);
        }
        seen.add(kind);
      }
      expect([...seen].sort()).toEqual([...expected].sort());
    });
  }
});
