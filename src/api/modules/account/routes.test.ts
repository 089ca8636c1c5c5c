import { describe, expect, test } from "bun:test";
import { cookiesOf, signInAgain, withCookieOf } from "#api/testing/browsers.ts";
import { contentsOf } from "#api/testing/contents.ts";
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

  test("A2: to end others keeps this browser signed in, and the answer says how many have ended", async () => {
    const client = await host.signedIn("user");
    for (let other = 0; other < 3; other += 1) await signInAgain(host, client);
    const one = await client.call("DELETE", `${account}/sessions/${await idOf(client, false)}`);
    const rest = await client.call("DELETE", `${account}/sessions`);
    expect([...cookiesOf(one), ...cookiesOf(rest)]).toEqual([]);
    expect([await one.json(), await rest.json()]).toEqual([
      { success: true, message: "The device was signed out" },
      { success: true, message: "All other devices were signed out", data: { ended: 2 } },
    ]);
    expect(await statusOf(client)).toBe(200);
  });

  test("A2: to end the one that asks is to sign out", async () => {
    const client = await host.signedIn("user");
    const answer = await client.call("DELETE", `${account}/sessions/${await idOf(client, true)}`);
    expect(cookiesOf(answer)).toEqual(["sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"]);
    expect(await statusOf(client)).toBe(401);
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
});
