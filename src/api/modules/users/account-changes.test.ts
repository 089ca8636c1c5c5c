import { describe, expect, test } from "bun:test";
import { createApp } from "#api/app.ts";
import { register } from "#api/modules/auth/index.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { signInAgain } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, operatorClient, type TestClient, testPassword } from "#api/testing/host.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { addPasskey } from "#api/testing/soft-passkey.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { authTexts, userTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");

const users = "/api/admin/users";
const whoIs = (client: TestClient) => client.call("GET", "/api/auth/user");
const idOf = (client: TestClient): string => client.user?.id ?? "";
const signIn = (client: TestClient) =>
  host.visitor().call("POST", "/api/auth/login", { email: client.user?.email, password: testPassword });

/** Every change of an account: method, what stands behind the account in the path, and the body. */
const changes: [title: string, method: string, rest: string, body: object | undefined][] = [
  ["a new role", "PUT", "/role", { role: "admin" }],
  ["disabling", "POST", "/disable", undefined],
  ["enabling", "POST", "/enable", undefined],
  ["emailing a reset link", "POST", "/send-reset", undefined],
  ["ending the sessions", "DELETE", "/sessions", undefined],
  ["deleting", "DELETE", "", undefined],
];

describe.each(changes)("%s", (_title, method, rest, body) => {
  test("of an unknown user is not found and changes nothing", async () => {
    // One who was seen this minute: the clock goes on in other tests.
    const admin = await host.signedIn("admin");
    const before = await contentsOf(host.db);
    for (const handle of [crypto.randomUUID(), "nobody@x.example", "none", "__proto__"]) {
      const answer = await admin.call(method, `${users}/${handle}${rest}`, body);
      expect([handle, answer.status]).toEqual([handle, 404]);
      expect(await answer.json()).toMatchObject({ code: "NOT_FOUND", message: "This user doesn't exist" });
    }
    expect(await contentsOf(host.db)).toEqual(before);
  });

  test("is taken by id and by address", async () => {
    for (const key of ["id", "email"] as const) {
      const { user } = await host.signedIn("user");
      const answer = await admin.call(method, `${users}/${user?.[key]}${rest}`, body);
      expect([key, answer.status]).toEqual([key, 200]);
      expect(await answer.json()).toMatchObject({ success: true, message: expect.any(String) });
    }
  });
});

test("Z3: a new role takes nothing but a role, and changes nothing otherwise", async () => {
  const [target, admin] = [await host.signedIn("user"), await host.signedIn("admin")];
  const before = await contentsOf(host.db);
  for (const body of [{}, { role: "owner" }, { role: null }, { role: "admin", id: idOf(admin) }, []]) {
    const answer = await admin.call("PUT", `${users}/${idOf(target)}/role`, body);
    expect(answer.status).toBe(422);
  }
  expect(await contentsOf(host.db)).toEqual(before);
});

describe("A2: on the very next request, here and in a second process, there is no session any more after", () => {
  test.each(changes.filter(([, , rest]) => rest !== "/enable" && rest !== "/send-reset"))(
    "%s",
    async (_title, method, rest, body) => {
      const target = await host.signedIn("user");
      const other = createApp({
        services: host.services,
        pages: { respond: () => new Response("page") },
        writeObstacle: () => null,
        rateLimiter: createLocalRateLimiter(host.clock),
        allowedHosts: [],
        trustedProxies: [],
        corsOrigins: [],
      });
      const elsewhere = async () => {
        const headers = { host: new URL(host.services.appUrl).host, cookie: target.cookie ?? "" };
        const request = new Request(`${host.services.appUrl}/api/auth/user`, { headers });
        return (await other.handle(request, { via: "tcp", peer: "127.0.0.1" })).status;
      };
      // Both have seen the session, so both remember it.
      expect([(await whoIs(target)).status, await elsewhere()]).toEqual([200, 200]);
      await admin.call(method, `${users}/${idOf(target)}${rest}`, body);
      expect([(await whoIs(target)).status, await elsewhere()]).toEqual([401, 401]);
      other.stop();
    },
  );
});

describe("Z4: what an admin changes applies immediately:", () => {
  test("a new admin opens the admin area with their next sign-in, a former one no longer", async () => {
    const target = await host.signedIn("user");
    for (const [role, status] of [
      ["admin", 200],
      ["user", 403],
    ] as const) {
      const { data } = await (await admin.call("PUT", `${users}/${idOf(target)}/role`, { role })).json();
      expect(data).toMatchObject({ id: idOf(target), role, disabled: false });
      const told = host.mails.filter(({ to }) => to === target.user?.email).at(-1);
      expect(told?.subject).toBe(`You are ${role === "admin" ? "now" : "no longer"} an administrator`);
      const answer = await signIn(target);
      const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
      expect((await target.call("GET", "/api/admin", undefined, { cookie })).status).toBe(status);
    }
  });

  test("a role that the user already has ends no session", async () => {
    const target = await host.signedIn("user");
    const answer = await admin.call("PUT", `${users}/${idOf(target)}/role`, { role: "user" });
    expect(await answer.json()).toMatchObject({ message: "The user already has this role" });
    expect((await whoIs(target)).status).toBe(200);
  });

  test("a disabled user cannot sign in, and reads what a wrong password reads; enabled, they can", async () => {
    const target = await host.signedIn("user");
    const path = `${users}/${idOf(target)}`;
    for (const _again of [1, 2]) {
      const { data } = await (await admin.call("POST", `${path}/disable`)).json();
      expect(data).toMatchObject({ disabled: true });
    }
    const refused = await signIn(target);
    expect([refused.status, (await refused.json()).code]).toEqual([401, "INVALID_CREDENTIALS"]);
    const { data } = await (await admin.call("POST", `${path}/enable`)).json();
    expect(data).toMatchObject({ disabled: false });
    expect((await signIn(target)).status).toBe(200);
    expect((await whoIs(target)).status).toBe(401);
  });

  test("a deleted user is gone with everything of theirs, and the address is free again", async () => {
    const target = await host.signedIn("user");
    const { user } = target;
    const wrong = { email: user?.email, password: "not the password" };
    await host.visitor().call("POST", "/api/auth/login", wrong);
    const traces = async () => {
      const rows = withoutLog(await contentsOf(host.db));
      return rows.filter((row) => row.includes(idOf(target)) || row.includes(user?.email ?? ""));
    };
    expect((await traces()).length).toBeGreaterThan(2);
    const answer = await admin.call("DELETE", `${users}/${user?.email}`);
    expect((await answer.json()).data).toEqual(user);
    expect(await traces()).toEqual([]);
    const again = { name: "Another", email: user?.email, password: testPassword, role: "user" };
    expect((await admin.call("POST", users, again)).status).toBe(201);
  });

  test("T2: a disabled user's emailed link to a new password has ended, also once they are enabled", async () => {
    const target = await host.signedIn("user");
    await host.visitor().call("POST", "/api/auth/forgot-password", { email: target.user?.email });
    const path = `/api/auth/reset-password/${tokenIn(host.mails.at(-1))}`;
    for (const change of ["disable", "enable"])
      expect((await admin.call("POST", `${users}/${idOf(target)}/${change}`)).status).toBe(200);
    const before = await contentsOf(host.db);
    const answer = await host.visitor().call("POST", path, { password: "another-fine-password" });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await contentsOf(host.db)).toEqual(before);
    expect((await signIn(target)).status).toBe(200);
  });

  test("an admin who disables themselves is out as well", async () => {
    const leaving = await host.signedIn("admin");
    expect((await leaving.call("POST", `${users}/${idOf(leaving)}/disable`)).status).toBe(200);
    expect((await leaving.call("GET", users)).status).toBe(401);
  });

  test("all sessions of a user are ended and counted, and no one else's", async () => {
    const [target, bystander] = [await host.signedIn("user"), await host.signedIn("user")];
    await signIn(target);
    const answer = await admin.call("DELETE", `${users}/${idOf(target)}/sessions`);
    expect((await answer.json()).data).toEqual({ ended: 2 });
    const again = await admin.call("DELETE", `${users}/${idOf(target)}/sessions`);
    expect((await again.json()).data).toEqual({ ended: 0 });
    expect((await whoIs(bystander)).status).toBe(200);
    expect((await signIn(target)).status).toBe(200);
  });
});

test("the last admin is refused with 409 and a sentence that says what to do", async () => {
  const alone = await createTestHost();
  const client = await alone.signedIn("admin");
  const before = await contentsOf(alone.db);
  for (const [method, rest, body] of [
    ["PUT", "/role", { role: "user" }],
    ["POST", "/disable", undefined],
    ["DELETE", "", undefined],
  ] as const) {
    const answer = await client.call(method, `${users}/${idOf(client)}${rest}`, body);
    expect([rest, answer.status]).toEqual([rest, 409]);
    expect(await answer.json()).toMatchObject({
      code: "LAST_ADMIN",
      message: expect.stringContaining("make someone else an administrator first"),
    });
  }
  expect(await contentsOf(alone.db)).toEqual(before);
  expect((await client.call("GET", "/api/admin")).status).toBe(200);
  await alone.close();
});

describe("pending registrations over HTTP", () => {
  const path = "/api/admin/pending-users";

  test("are listed, verified and removed by an admin", async () => {
    const [one, two] = [newPerson(), newPerson()];
    const visitor = {
      ...host.services,
      actor: { kind: "visitor" as const },
      requestId: "",
      ip: "",
      userAgent: null,
    };
    for (const person of [one, two]) await register(visitor, person);
    const { data } = await (await admin.call("GET", `${path}?search=${one.email}&limit=1`)).json();
    expect(data).toMatchObject({
      users: [{ email: one.email }],
      pagination: { total: 1, totalIsEstimate: false, limit: 1, offset: 0 },
    });
    const verified = await admin.call("POST", `${path}/${data.users[0].id}/verify`);
    expect(await verified.json()).toMatchObject({ success: true, data: { email: one.email, role: "user" } });
    expect((await admin.call("POST", `${path}/${one.email}/verify`)).status).toBe(404);
    expect((await admin.call("DELETE", `${path}/${two.email}`)).status).toBe(200);
    expect((await admin.call("DELETE", `${path}/${two.email}`)).status).toBe(404);
  });

  test.each(["limit=0", "offset=-1", "search=%00", "role=user"])("L6: %s is refused", async (query) => {
    expect((await admin.call("GET", `${path}?${query}`)).status).toBe(422);
  });
});

await host.signedIn("user");

const path = "/api/admin/users";

test("an admin's new user is returned completely and can sign in immediately", async () => {
  const person = newPerson();
  const { email, password } = person;
  const answer = await admin.call("POST", path, { ...person, role: "user" });
  expect(answer.status).toBe(201);
  const { data, ...rest } = await answer.json();
  expect(rest).toEqual({ success: true, message: "The user was added" });
  expect(Object.keys(data).sort()).toEqual(
    ["createdAt", "email", "emailVerified", "githubId", "googleId", "id", "name", "role"].sort(),
  );
  const signIn = await host.visitor().call("POST", "/api/auth/login", { email, password });
  expect((await signIn.json()).user).toEqual(data);
});

const newRows = createActivityReader(host.services);
const passwordPath = (user: string | undefined) => `/api/admin/users/${user}/password`;

const operate = (user: string | undefined, password: string) =>
  operatorClient(host).call("PUT", passwordPath(user), { password });

test("the operator gives a user another password, which signs them out, is told and recorded", async () => {
  const member = await host.signedIn("user");
  const { email } = member.user ?? {};
  await newRows();
  expect((await operate(email, "a password from the operator")).status).toBe(200);
  expect((await member.call("GET", "/api/auth/user")).status).toBe(401);
  const credentials = { email, password: "a password from the operator" };
  expect((await host.visitor().call("POST", "/api/auth/login", credentials)).status).toBe(200);
  expect(host.mails.findLast(({ to }) => to === email)?.subject).toBe("Your password was changed");
  const row = (await newRows()).find(({ action }) => action === "Set the password of a user");
  expect([row?.severity, row?.description]).toEqual(["critical", email ?? ""]);
});

test("a password that anyone would guess is refused, and no admin sets one", async () => {
  const [admin, member] = [await host.signedIn("admin"), await host.signedIn("user")];
  const weak = await operate(member.user?.id, "password123");
  const { errors } = await weak.json();
  expect([weak.status, errors]).toEqual([422, [{ path: "password", message: authTexts.passwordCommon }]]);
  const answer = await admin.call("PUT", passwordPath(member.user?.id), {
    password: "a password of an admin",
  });
  expect([answer.status, (await member.call("GET", "/api/auth/user")).status]).toEqual([403, 200]);
});

const reset = (client: TestClient, user: string | undefined, query = "") =>
  client.call("POST", `/api/admin/users/${user}/second-factor/reset${query}`);
const absent = { name: null, lastUsedAt: null, left: null, blockedAt: null };
const shownOf = async (user: string | undefined) =>
  (await (await admin.call("GET", `/api/admin/users/${user}`)).json()).data.secondFactor;

test("an admin's reset lets the password alone sign in again, ends the sessions, and is told and recorded", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  const { id, email } = member.user ?? {};
  expect(await shownOf(id)).toEqual({
    ...{ enabledAt: host.clock.now().toISOString(), ways: ["code", "recovery"], recoveryCodesLeft: 10 },
  });
  await newRows();
  expect((await reset(admin, id)).status).toBe(200);
  const told = host.mails.findLast(({ to }) => to === email);
  expect(told?.subject).toBe("Two-factor authentication was turned off");
  expect(told?.text).toContain("Time: ");
  expect(told?.text).not.toMatch(/IP address|Device/);
  expect(await shownOf(id)).toBeNull();
  expect((await member.call("GET", "/api/auth/user")).status).toBe(401);
  const login = await host.visitor().call("POST", "/api/auth/login", { email, password: testPassword });
  expect(login.status).toBe(200);
  const [row] = (await newRows()).filter(({ action }) => action === "Reset the second factor of a user");
  expect([row?.severity, row?.description]).toEqual(["critical", email ?? ""]);
});

test("wrong codes of the app that was reset keep the next one neither from being set up nor from being used", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  await member.call("POST", "/api/account/totp", {});
  for (const path of ["totp/verify", "confirm"]) {
    const wrong = () => member.call("POST", `/api/account/${path}`, { code: "000000" });
    for (let tries = 0; tries < limits.codeFailures; tries += 1) expect((await wrong()).status).toBe(422);
    expect((await wrong()).status).toBe(429);
  }
  expect((await reset(admin, member.user?.id)).status).toBe(200);
  const again = await signInAgain(host, member);
  const { nextCode } = await enableFactor(host, again);
  expect((await again.call("POST", "/api/account/confirm", { code: nextCode() })).status).toBe(200);
});

test("a reset that keeps passkeys removes app and recovery codes, which are listed without what is secret", async () => {
  const member = await host.signedIn("user");
  const { id, email } = member.user ?? {};
  await enableFactor(host, member);
  const enabled = host.clock.now().toISOString();
  await addPasskey(member);
  const factors = async () => {
    const { data } = await (await admin.call("GET", `/api/admin/users/${email}/second-factor`)).json();
    return data.factors;
  };
  const passkey = { ...absent, way: "passkey", name: expect.any(String), addedAt: expect.any(String) };
  expect(await factors()).toEqual([
    passkey,
    { ...absent, way: "code", addedAt: enabled, lastUsedAt: expect.any(String) },
    { ...absent, way: "recovery", addedAt: enabled, left: 10 },
  ]);
  const keep = () => reset(admin, id, "?keepPasskeys=true");
  expect((await keep()).status).toBe(200);
  expect(host.mails.findLast(({ to }) => to === email)?.subject).toBe("Your authenticator app was removed");
  expect(await factors()).toEqual([passkey]);
  expect((await keep()).status).toBe(409);
  const body = { email, password: testPassword };
  const login = await host.visitor().call("POST", "/api/auth/login", body);
  expect((await login.json()).data).toEqual({ ways: ["passkey"] });
});

test("a user without a second factor has none to reset", async () => {
  const member = await host.signedIn("user");
  const answer = await reset(admin, member.user?.id);
  expect([answer.status, (await answer.json()).message]).toEqual([409, userTexts.noSecondFactor]);
});

test("no API token resets one, and the control socket does", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  const token = await newTokenClient(host, { scopes: ["*"] });
  const path = `/api/admin/users/${member.user?.id}/second-factor/reset`;
  const refused = await token.call("POST", path);
  expect([refused.status, (await refused.json()).code]).toEqual([403, "SESSION_REQUIRED"]);
  expect((await operatorClient(host).call("POST", path)).status).toBe(200);
});
