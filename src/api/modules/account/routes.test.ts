import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#api/db/schema.ts";
import { cookiesOf, signInAgain, withCookieOf } from "#api/testing/browsers.ts";
import { contentsOf, withoutTries } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { fakeProviders } from "#api/testing/identity/fake-providers.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { fieldTexts } from "#contract/errors.ts";
import type { ProviderName } from "#contract/users.ts";

const host = await hostForFile({ providers: fakeProviders("google") });

const newPassword = "another-horse-entirely";
const account = "/api/account";

const statusOf = async (client: TestClient) => (await client.call("GET", account)).status;

test("the account is returned with its sign-in methods and nothing more", async () => {
  const client = await host.signedIn("user");
  const answer = await client.call("GET", account);
  expect(await answer.json()).toEqual({
    success: true,
    data: {
      user: client.user,
      hasPassword: true,
      providers: {
        google: { label: "Google", configured: true, linked: false },
        github: { label: "GitHub", configured: false, linked: false },
      },
      isLastAdmin: false,
      emailChange: null,
    },
  });
});

describe("a new name", () => {
  test("is trimmed, told, and the person's own on the very next request", async () => {
    const client = await host.signedIn("user");
    const answer = await client.call("PUT", `${account}/name`, { name: "  Grace Hopper " });
    const user = { ...client.user, name: "Grace Hopper" };
    expect(await answer.json()).toEqual({ success: true, message: "Your name was changed", user });
    expect(await (await client.call("GET", "/api/auth/user")).json()).toEqual(user);
  });

  test.each([`<img src=x onerror=alert(1)>`, `"><script>alert(1)</script>`, "{{7*7}} <%= 7 %>", "Ada & Bob"])(
    "L1: %j comes back as the text that it is",
    async (name) => {
      const client = await host.signedIn("user");
      const answer = await client.call("PUT", `${account}/name`, { name });
      expect(answer.headers.get("content-type")).toStartWith("application/json");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect((await answer.json()).user.name).toBe(name);
      const { data } = await (await client.call("GET", account)).json();
      expect(data.user.name).toBe(name);
    },
  );

  test.each(["", "   ", "x".repeat(101), "Ada\nBcc: x@x.example", "\u202eadA"])(
    "that will not do (%j) is refused and changes nothing",
    async (name) => {
      const client = await host.signedIn("user");
      const before = await contentsOf(host.db);
      const refusal = await readRefusal(await client.call("PUT", `${account}/name`, { name }));
      expect(refusal).toMatchObject({ status: 422, errors: [{ path: "name" }] });
      expect(await contentsOf(host.db)).toEqual(before);
    },
  );
});

describe("a new password", () => {
  test("A1, A2: moves this browser to a new session and signs the others out on their very next request", async () => {
    const client = await host.signedIn("user");
    const other = await signInAgain(host, client);
    expect([await statusOf(client), await statusOf(other)]).toEqual([200, 200]);
    const body = { currentPassword: testPassword, newPassword };
    const answer = await client.call("PUT", `${account}/password`, body);
    expect(answer.status).toBe(200);
    const moved = withCookieOf(client, answer);
    expect(moved.cookie).not.toBe(client.cookie);
    expect([await statusOf(moved), await statusOf(client), await statusOf(other)]).toEqual([200, 401, 401]);
    expect(await statusOf(await signInAgain(host, client, newPassword))).toBe(200);
    expect(host.mails.at(-1)).toMatchObject({ to: client.user?.email, subject: "Your password was changed" });
  });

  test("W5: with a wrong current one is a complaint about that field, never a sign-out", async () => {
    const client = await host.signedIn("user");
    const before = withoutTries(await contentsOf(host.db));
    const body = { currentPassword: "not-the-password", newPassword };
    const answer = await client.call("PUT", `${account}/password`, body);
    expect(await readRefusal(answer, Object.values(body))).toMatchObject({
      status: 422,
      code: "VALIDATION_FAILED",
      errors: [{ path: "currentPassword", message: "This is not your current password" }],
      setsCookie: false,
    });
    expect(withoutTries(await contentsOf(host.db))).toEqual(before);
    expect(await statusOf(client)).toBe(200);
  });

  test("keeps the browser's own device cookie good", async () => {
    const client = await host.signedIn("user");
    const answer = await client.call("PUT", `${account}/password`, {
      currentPassword: testPassword,
      newPassword,
    });
    expect(cookiesOf(answer).filter((cookie) => !cookie.startsWith("sid="))).toEqual([]);
  });
});

describe("the own sessions", () => {
  const idOf = async (asking: TestClient, isCurrent: boolean): Promise<string> => {
    const { data } = await (await asking.call("GET", `${account}/sessions`)).json();
    return data.sessions.find((session: { isCurrent: boolean }) => session.isCurrent === isCurrent).id;
  };

  test("are listed without tokens and hashes", async () => {
    const client = await host.signedIn("user");
    const text = await (await client.call("GET", `${account}/sessions`)).text();
    expect(Object.keys(JSON.parse(text).data.sessions[0]).sort()).toEqual(
      ["createdAt", "device", "expiresAt", "id", "ip", "isCurrent", "lastUsedAt", "userAgent"].sort(),
    );
    expect(text).not.toContain(client.cookie?.slice(4) ?? "sid");
  });

  test("A2: one that is ended is signed out on its very next request, this one stays", async () => {
    const client = await host.signedIn("user");
    const other = await signInAgain(host, client);
    expect(await statusOf(other)).toBe(200);
    const id = await idOf(client, false);
    const answer = await client.call("DELETE", `${account}/sessions/${id}`);
    expect([answer.status, cookiesOf(answer)]).toEqual([200, []]);
    expect([await statusOf(client), await statusOf(other)]).toEqual([200, 401]);
  });

  test("A2: to end the one that asks is to sign out", async () => {
    const client = await host.signedIn("user");
    const answer = await client.call("DELETE", `${account}/sessions/${await idOf(client, true)}`);
    expect(cookiesOf(answer)).toEqual(["sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"]);
    expect(await statusOf(client)).toBe(401);
  });

  test("A2: all others are signed out on their very next request", async () => {
    const client = await host.signedIn("user");
    const others = [await signInAgain(host, client), await signInAgain(host, client)];
    for (const other of others) expect(await statusOf(other)).toBe(200);
    const answer = await client.call("DELETE", `${account}/sessions`);
    const message = "All other devices were signed out";
    expect(await answer.json()).toEqual({ success: true, message, data: { ended: 2 } });
    for (const other of others) expect(await statusOf(other)).toBe(401);
    expect(await statusOf(client)).toBe(200);
  });

  test("are no one else's to end: that is not found and changes nothing", async () => {
    const [client, neighbour] = [await host.signedIn("admin"), await host.signedIn("user")];
    const id = await idOf(neighbour, true);
    const before = await contentsOf(host.db);
    const answer = await client.call("DELETE", `${account}/sessions/${id}`);
    expect(await readRefusal(answer)).toMatchObject({ status: 404, code: "NOT_FOUND", setsCookie: false });
    expect(await contentsOf(host.db)).toEqual(before);
  });
});

describe("Z3: a member of a body that no one asked for is refused and changes nothing, in", () => {
  const bodies: [string, string, Record<string, string>][] = [
    ["PUT", `${account}/name`, { name: "Grace Hopper" }],
    ["PUT", `${account}/password`, { currentPassword: testPassword, newPassword }],
    ["POST", `${account}/connections/google`, { password: testPassword }],
    ["DELETE", account, { password: testPassword }],
  ];
  const members = [
    "role",
    "id",
    "userId",
    "emailVerified",
    "googleId",
    "passwordHash",
    "isAdmin",
    "__proto__",
  ];
  test.each(bodies)("%s %s", async (method, path, body) => {
    const client = await host.signedIn("user");
    const before = await contentsOf(host.db);
    for (const name of members) {
      const wild = JSON.parse(
        `{${JSON.stringify(name)}:"admin",${JSON.stringify(body).slice(1)}`.replace(",}", "}"),
      );
      const refusal = await readRefusal(await client.call(method, path, wild), [testPassword]);
      expect(refusal).toMatchObject({ status: 422, errors: [{ path: name, message: fieldTexts.unknown }] });
    }
    expect(await contentsOf(host.db)).toEqual(before);
    expect(Reflect.get({}, "role")).toBeUndefined();
  });
});

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
