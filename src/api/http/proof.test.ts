import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions } from "#api/db/schema.ts";
import { operations } from "#api/operations.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { signInAgain, withCookieOf } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { goodCallOf } from "#api/testing/good-calls.ts";
import {
  createTestHost,
  operatorClient,
  type TestClient,
  type TestHost,
  testPassword,
} from "#api/testing/host.ts";
import { fakeProviders } from "#api/testing/identity/fake-providers.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { operationIds } from "#contract/create-client.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";

let host: TestHost;
let stale: TestClient;
/** An admin with a second factor whose password is fresh, and whose code is not. */
let half: TestClient;
beforeAll(async () => {
  host = await createTestHost({
    hasher: createCheapHasher(),
    connectionTests: workingConnectionTests,
    providers: fakeProviders("google"),
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

describe("what wants a recent sign-in", () => {
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
    expect((await operatorClient(host).call("GET", path)).status).toBe(200);
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

  test("that fails five times in a row in a session is told to its owner once, and recorded", async () => {
    const client = await old();
    const other = await signInAgain(host, client);
    const told = () =>
      host.mails.filter(
        ({ to, subject }) => to === client.user?.email && subject.startsWith("Failed attempts"),
      );
    const fail = async (who: TestClient, times: number) => {
      for (let at = 0; at < times; at += 1) await who.call("POST", confirmPath, { password: "wrong" });
      return told().length;
    };
    const newRows = createActivityReader(host.services);
    expect(await fail(client, 4)).toBe(0);
    const confirmed = withCookieOf(
      client,
      await client.call("POST", confirmPath, { password: testPassword }),
    );
    expect([await fail(other, 1), await fail(confirmed, 4)]).toEqual([0, 0]);
    host.clock.advance(limits.signInWindowMs);
    expect([await fail(confirmed, 1), await fail(confirmed, 4)]).toEqual([1, 1]);
    const rows = (await newRows()).filter(
      ({ action, userEmail }) => action.startsWith("Failed 5") && userEmail === client.user?.email,
    );
    expect(rows.map(({ severity }) => severity)).toEqual(["high"]);
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

  test("is ended on request, which leaves the session without any proof", async () => {
    const client = await host.signedIn("user");
    const { nextCode } = await enableFactor(host, client);
    const code = await client.call("POST", confirmPath, { code: nextCode() });
    const confirmed = withCookieOf(client, code);
    const untilOf = async () => {
      const { data } = await (await confirmed.call("GET", "/api/account/session")).json();
      return data.confirmedUntil;
    };
    const until = new Date(host.clock.now().getTime() + limits.freshSessionMs).toISOString();
    expect([await untilOf(), await exported(confirmed)]).toEqual([until, 200]);
    expect((await confirmed.call("DELETE", confirmPath)).status).toBe(200);
    expect([await untilOf(), await exported(confirmed)]).toEqual([null, 403]);
    const young = await host.signedIn("user");
    await young.call("DELETE", confirmPath);
    expect(await exported(young)).toBe(403);
  });

  test("without a password tells whether the session is young enough, and changes nothing", async () => {
    const client = await host.signedIn("user");
    const answer = await client.call("POST", confirmPath, {});
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
    host.clock.advance(limits.freshSessionMs);
    expect(await outcomeOf(await client.call("POST", confirmPath, {}))).toEqual(refused);
  });
});
