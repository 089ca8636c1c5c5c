import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { IdentityProvider } from "#api/core/context.ts";
import { users } from "#api/db/schema.ts";
import { cookiesOf, signInAgain } from "#api/testing/browsers.ts";
import { contentsOf, withoutTries } from "#api/testing/contents.ts";
import { createTestHost, type TestClient, type TestHost, testPassword } from "#api/testing/host.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import type { ProviderName } from "#contract/users.ts";

const google: IdentityProvider = {
  issuer: "https://id.example",
  authorizationUrl: async ({ state }) => `https://id.example/authorize?state=${state}`,
  identify: async () => ({ subject: "1", name: null, email: null, isEmailVerified: false }),
};

let host: TestHost;
beforeAll(async () => {
  host = await createTestHost({ providers: { google, github: null } });
});
afterAll(() => host.close());

const account = "/api/account";

const statusOf = async (client: TestClient) => (await client.call("GET", account)).status;

describe("providers", () => {
  const link = (client: TestClient, name: string) =>
    client.call("POST", `${account}/connections/${name}`, { password: testPassword });
  const linkedTo = async (provider: ProviderName) => {
    const client = await host.signedIn("user");
    const id = client.user?.id ?? "";
    await addIdentity(host.db, { userId: id, provider, subject: id });
    return client;
  };

  test("linking answers where to go and ties it to the browser", async () => {
    const answer = await link(await host.signedIn("user"), "google");
    const [cookie = "", more] = cookiesOf(answer);
    expect(cookie).toMatch(/^oauth=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(more).toBeUndefined();
    expect((await answer.json()).data.url).toStartWith("https://id.example/authorize?state=");
  });

  test("linking is refused, and no cookie set, for one that is not set up, unknown or linked already", async () => {
    const client = await linkedTo("google");
    const answers = [];
    for (const name of ["github", "gitlab", "google"]) answers.push(await link(client, name));
    expect(await Promise.all(answers.map((answer) => readRefusal(answer)))).toMatchObject([
      { status: 409, code: "PROVIDER_NOT_CONFIGURED", setsCookie: false },
      { status: 404, code: "NOT_FOUND", setsCookie: false },
      { status: 409, code: "CONFLICT", setsCookie: false },
    ]);
  });

  test("an unlinked one is off the account on the very next request", async () => {
    const client = await linkedTo("github");
    const answer = await client.call("DELETE", `${account}/connections/github`);
    const message = "GitHub was unlinked from your account";
    expect(await answer.json()).toEqual({ success: true, message });
    expect(await (await client.call("GET", "/api/auth/user")).json()).toMatchObject({ githubId: null });
    expect(host.mails.at(-1)).toMatchObject({ to: client.user?.email, subject: message });
  });
});

test("the export is a file that no cache keeps", async () => {
  const client = await host.signedIn("user");
  const answer = await client.call("GET", `${account}/export`);
  expect(answer.status).toBe(200);
  const day = host.clock.now().toISOString().slice(0, 10);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": `attachment; filename="atrium-account-${day}.json"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(await answer.json()).toMatchObject({ profile: { id: client.user?.id }, sessions: [{}] });
});

describe("deleting the account", () => {
  test("A2: signs every browser out on its very next request and forgets this one's cookies", async () => {
    const client = await host.signedIn("user");
    const other = await signInAgain(host, client);
    const answer = await client.call("DELETE", account, { password: testPassword });
    expect(await answer.json()).toEqual({ success: true, message: "Your account was deleted" });
    expect(cookiesOf(answer).map((cookie) => cookie.split(";")[0])).toEqual(["sid=", "device="]);
    expect([await statusOf(client), await statusOf(other)]).toEqual([401, 401]);
    const login = { email: client.user?.email, password: testPassword };
    expect((await host.visitor().call("POST", "/api/auth/login", login)).status).toBe(401);
    expect(host.mails.at(-1)).toMatchObject({ to: client.user?.email, subject: "Your account was deleted" });
  });

  test("with a wrong password is a complaint about that field and changes nothing", async () => {
    const client = await host.signedIn("user");
    const before = withoutTries(await contentsOf(host.db));
    const answer = await client.call("DELETE", account, { password: "not-the-password" });
    const refusal = { status: 422, errors: [{ path: "password" }], setsCookie: false };
    expect(await readRefusal(answer, ["not-the-password"])).toMatchObject(refusal);
    expect(withoutTries(await contentsOf(host.db))).toEqual(before);
  });

  test("without a password asks for a new sign-in after ten minutes", async () => {
    const client = await host.signedIn("user");
    const id = client.user?.id ?? "";
    await host.db.update(users).set({ passwordHash: null }).where(eq(users.id, id));
    host.clock.advance(600_000);
    const answer = await client.call("DELETE", account, {});
    const refusal = { status: 403, code: "REAUTHENTICATION_REQUIRED", setsCookie: false };
    expect(await readRefusal(answer)).toMatchObject(refusal);
    expect(await statusOf(client)).toBe(200);
  });

  test("is refused for the last administrator", async () => {
    await host.db.update(users).set({ role: "user" });
    const client = await host.signedIn("admin");
    const answer = await client.call("DELETE", account, { password: testPassword });
    expect(await readRefusal(answer)).toMatchObject({ status: 409, code: "LAST_ADMIN", setsCookie: false });
    expect(await statusOf(client)).toBe(200);
  });
});
