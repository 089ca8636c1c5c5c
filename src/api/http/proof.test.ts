import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { IdentityProvider } from "#api/core/context.ts";
import { sessions } from "#api/db/schema.ts";
import { operations } from "#api/operations.ts";
import { accessMatrix } from "#api/testing/access-matrix.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { signInAgain, withCookieOf } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { fingerprintOf, withoutLogPrints } from "#api/testing/fingerprint.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { goodCallOf } from "#api/testing/good-calls.ts";
import { createTestHost, type TestClient, type TestHost, testPassword } from "#api/testing/host.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { operationIds } from "#contract/create-client.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";

const google: IdentityProvider = {
  issuer: "https://id.example",
  authorizationUrl: async () => "https://id.example/authorize",
  identify: async () => ({ subject: "1", name: null, email: null, isEmailVerified: false }),
};

let host: TestHost;
let stale: TestClient;
/** An admin with a second factor whose password is fresh, and whose code is not. */
let half: TestClient;
beforeAll(async () => {
  host = await createTestHost({
    hasher: createCheapHasher(),
    connectionTests: workingConnectionTests,
    providers: { google, github: null },
  });
  stale = await host.signedIn("admin");
  half = await host.signedIn("admin");
  await enableFactor(host, half);
  host.clock.advance(limits.freshSessionMs);
  half = withCookieOf(half, await half.call("POST", confirmPath, { password: testPassword }));
  // As fresh for all tests as it is now.
  await host.db
    .update(sessions)
    .set({ confirmedAt: new Date(host.clock.now().getTime() + 10 * 365 * 86_400_000) })
    .where(eq(sessions.userId, half.user?.id ?? ""));
  host.services.events.publish({ type: "user-changed", userId: half.user?.id ?? "" });
});
afterAll(() => host.close());

const confirmPath = "/api/account/confirm";
const wanted = { wanted: "recent", ways: ["password"] };
const outcomeOf = async (answer: Response) => {
  const { code, message, data } = await answer.json();
  return { status: answer.status, code, message, data };
};
const refused = {
  ...{ status: 403, code: "REAUTHENTICATION_REQUIRED", message: accountTexts.passwordWanted, data: wanted },
};
const factorWanted = { wanted: "factor", ways: ["code"] };
const refusedWithoutFactor = { ...refused, message: accountTexts.codeWanted, data: factorWanted };
const routeOf = (name: string) =>
  host.app.routes.all.find(({ method, template }) => `${method} ${template}` === name);

describe("what wants a recent sign-in", () => {
  for (const [name, row] of Object.entries(accessMatrix)) {
    const { path } = row;
    const [method = ""] = name.split(" ");
    test(`${name} is judged as its declaration says, and a refusal changes nothing`, async () => {
      const route = routeOf(name);
      // What takes the password in its body is read before: see the tests of API tokens.
      if (route === undefined || route.takesPassword || route.access === "public" || path === confirmPath)
        return;
      if (route.proof === "password") return;
      // The first request in a while updates when a session was last used.
      await stale.call("GET", "/api/account");
      const before = withoutLogPrints(await fingerprintOf(host.db));
      const answer = await stale.call(method, path, row.body);
      if (route.proof === "none") {
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        expect(isJson ? (await answer.json()).code : "").not.toBe(refused.code);
        return;
      }
      expect(await outcomeOf(answer)).toEqual(refused);
      expect(withoutLogPrints(await fingerprintOf(host.db))).toEqual(before);
    });
  }

  for (const [name, row] of Object.entries(accessMatrix)) {
    const [method = "", template = ""] = name.split(" ");
    const path = row.path ?? template;
    test(`${name} needs the second factor, for users who have one, as its declaration says`, async () => {
      const route = routeOf(name);
      if (route === undefined || route.access === "public" || path === confirmPath) return;
      const isWanted = route.proof === "factor" || route.proof === "password";
      // The next test of this table must not be signed out or without a factor.
      if (!isWanted && path.endsWith("/logout")) return;
      const before = withoutLogPrints(await fingerprintOf(host.db));
      const answer = await half.call(method, path, row.body);
      if (!isWanted) {
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        expect(isJson ? (await answer.json()).code : "").not.toBe(refused.code);
        return;
      }
      expect(await outcomeOf(answer)).toEqual(refusedWithoutFactor);
      expect(withoutLogPrints(await fingerprintOf(host.db))).toEqual(before);
    });
  }

  const proofOf = (id: string) => operations.find((one) => one.id === id)?.operation.proof;
  for (const id of operationIds.filter((one) => proofOf(one) === "password"))
    test(`${id} wants the password, however young the session is`, async () => {
      const young = await host.signedIn("user");
      // The password of the example is not theirs.
      const { method, path, body } = goodCallOf(id);
      const answer = await young.call(method, path, body);
      const { code, errors } = await answer.json();
      const complaint = { path: expect.stringMatching(/password$/i), message: accountTexts.passwordWrong };
      expect([answer.status, code, errors]).toEqual([422, "VALIDATION_FAILED", [complaint]]);
    });

  test("is judged alike as a dry run and as a plan", async () => {
    const user = stale.user?.id ?? "";
    const dry = await stale.call("POST", `/api/admin/users/${user}/enable?dryRun=true`);
    expect(await outcomeOf(dry)).toEqual(refused);
    expect(await outcomeOf(await stale.call("POST", "/api/plan/users.enable", { user }))).toEqual(refused);
  });

  test("is open to API tokens by their scope, and to the operator", async () => {
    const path = "/api/admin/activity/export";
    const token = await newTokenClient(host, { scopes: ["activity:read"] });
    host.clock.advance(limits.freshSessionMs);
    expect((await token.call("GET", path)).status).toBe(200);
    const request = new Request(`http://localhost${path}`);
    expect((await host.app.handle(request, { via: "socket" })).status).toBe(200);
  });
});

describe("a confirmation", () => {
  const old = async (): Promise<TestClient> => {
    const client = await host.signedIn("admin");
    host.clock.advance(limits.freshSessionMs);
    return client;
  };
  const exported = async (client: TestClient) => (await client.call("GET", "/api/account/export")).status;

  test("by the password replaces the session's token, and counts for ten minutes", async () => {
    const client = await old();
    expect(await exported(client)).toBe(403);
    const answer = await client.call("POST", confirmPath, { password: testPassword });
    expect(answer.status).toBe(200);
    const confirmed = withCookieOf(client, answer);
    expect(confirmed.cookie).not.toBe(client.cookie);
    host.clock.advance(limits.freshSessionMs - 1);
    expect(await exported(confirmed)).toBe(200);
    host.clock.advance(1);
    expect(await exported(confirmed)).toBe(403);
    expect((await client.call("GET", "/api/account")).status).toBe(401);
  });

  test("leaves the session's id and the time of its sign-in as they are", async () => {
    const client = await old();
    const shown = async (who: TestClient) => {
      const { data } = await (await who.call("GET", "/api/account/sessions")).json();
      const [{ id, createdAt }] = data.sessions;
      return { id, createdAt };
    };
    const before = await shown(client);
    const confirmed = withCookieOf(
      client,
      await client.call("POST", confirmPath, { password: testPassword }),
    );
    expect(await shown(confirmed)).toEqual(before);
  });

  test("leaves the other sessions as they are, and confirms none of them", async () => {
    const client = await old();
    const other = await signInAgain(host, client);
    host.clock.advance(limits.freshSessionMs);
    await client.call("POST", confirmPath, { password: testPassword });
    expect([(await other.call("GET", "/api/account")).status, await exported(other)]).toEqual([200, 403]);
  });

  test("with a wrong password is refused, leaves the session as it is, and can be tried ten times", async () => {
    const client = await old();
    for (let tries = 0; tries < limits.passwordChecksByUser; tries += 1)
      expect((await client.call("POST", confirmPath, { password: "wrong" })).status).toBe(422);
    expect((await client.call("POST", confirmPath, { password: testPassword })).status).toBe(429);
    expect(await exported(client)).toBe(403);
    // A young session gets no further ten minutes by a wrong password.
    const young = await host.signedIn("user");
    const answer = await young.call("POST", confirmPath, { password: "wrong" });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([422, null]);
  });

  test("by a code proves the second factor for ten minutes, under another token; a password does not", async () => {
    const client = await host.signedIn("user");
    const { nextCode } = await enableFactor(host, client);
    host.clock.advance(limits.freshSessionMs);
    const withPassword = withCookieOf(
      client,
      await client.call("POST", confirmPath, { password: testPassword }),
    );
    expect(await exported(withPassword)).toBe(403);
    expect(await outcomeOf(await withPassword.call("POST", confirmPath, {}))).toEqual(refusedWithoutFactor);
    const answer = await withPassword.call("POST", confirmPath, { code: nextCode() });
    const confirmed = withCookieOf(client, answer);
    host.clock.advance(limits.freshSessionMs - 1);
    expect([await exported(confirmed), await exported(withPassword)]).toEqual([200, 401]);
    expect((await confirmed.call("POST", confirmPath, {})).status).toBe(200);
    host.clock.advance(1);
    expect(await outcomeOf(await confirmed.call("GET", "/api/account/export"))).toEqual(refusedWithoutFactor);
  });

  test("by a wrong code is refused on its field, and by one of an account without a second factor as it was", async () => {
    const client = await host.signedIn("user");
    await enableFactor(host, client);
    const answer = await client.call("POST", confirmPath, { code: "000000" });
    expect([answer.status, (await answer.json()).errors]).toEqual([
      ...[422, [{ path: "code", message: errorTexts.CODE_INVALID }]],
    ]);
    const plain = await host.signedIn("user");
    expect(await outcomeOf(await plain.call("POST", confirmPath, { code: "000000" }))).toEqual(refused);
  });

  test("of a change that needs the second factor for some inputs is asked for those alone", async () => {
    const admin = await host.signedIn("admin");
    const member = (await host.signedIn("user")).user?.id;
    const codeOf = async (method: string, path: string, body?: unknown) =>
      (await (await half.call(method, path, body)).json()).code ?? "done";
    const person = { name: "Ada", email: "new@example.test", password: "a-password-of-hers" };
    expect([
      await codeOf("POST", `/api/admin/users/${member}/enable`),
      await codeOf("POST", `/api/admin/users/${admin.user?.id}/enable`),
      await codeOf("POST", "/api/admin/users", { ...person, role: "admin" }),
      await codeOf("POST", "/api/admin/users", { ...person, role: "user" }),
      await codeOf("PUT", "/api/auth/settings/core", { rateLimiting: { maxRequests: 200 } }),
      await codeOf("PUT", "/api/auth/settings/core", { security: { helmetEnabled: false } }),
      await codeOf("POST", "/api/admin/backups", {}),
    ]).toEqual([...["done", refused.code, refused.code, "done", "done", refused.code, refused.code]]);
  });

  test("without a password tells whether the session is young enough, and changes nothing", async () => {
    const client = await host.signedIn("user");
    const answer = await client.call("POST", confirmPath, {});
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
    host.clock.advance(limits.freshSessionMs);
    expect(await outcomeOf(await client.call("POST", confirmPath, {}))).toEqual(refused);
  });
});
