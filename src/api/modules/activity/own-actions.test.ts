import { beforeEach, describe, expect, test } from "bun:test";
import { issueSetupLink } from "#api/modules/auth/index.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { cookiesOf, withCookieOf } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestClient, testPassword } from "#api/testing/host.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf, visitProvider } from "#api/testing/identity/test-browser.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { providerLabels, providerNames } from "#contract/users.ts";

const stage = await signInStageForFile();
const host = stage.host;
const newRows = createActivityReader(host.services);
beforeEach(async () => {
  // Repeats of the test before are no repeats of this one's, and what was spent there is spent no more.
  host.clock.advance(16 * 60_000);
  await newRows();
});

const call = (client: TestClient, method: string, path: string, body?: unknown) =>
  client.call(method, path, body, { "user-agent": "Browser/1.0" });

/** Somebody with a session; what led to it is no longer new. */
const member = async (role: "user" | "admin" = "user"): Promise<TestClient> => {
  const client = await host.signedIn(role);
  host.clock.advance(61_000);
  await newRows();
  return client;
};

const byVisitor = { actorKind: "visitor", userId: null, ip: "127.0.0.1", userAgent: "Browser/1.0" };
const by = ({ user }: TestClient) => ({ actorKind: "user", userId: user?.id, userEmail: user?.email });

const signIn = (email: string | undefined, password: string, client = host.visitor()) =>
  call(client, "POST", "/api/auth/login", { email, password });

describe("L4: a sign-in is recorded:", () => {
  test.each([
    ["user", "low"],
    ["admin", "medium"],
  ] as const)("of a(n) %s who knows the password, with severity %s", async (role, severity) => {
    const client = await member(role);
    expect((await signIn(client.user?.email, testPassword)).status).toBe(200);
    const entry = {
      type: "api_call",
      action: "Signed in",
      description: "With a password",
      status: "success",
    };
    expect(await newRows()).toMatchObject([{ ...entry, ...by(client), severity }]);
  });

  test("one that fails with the address that was tried, alike whether or not it has an account", async () => {
    const { user } = await member();
    const known = await signIn(user?.email, "not the password");
    const [ofKnown, ...more] = await newRows();
    expect(more).toEqual([]);
    expect(ofKnown).toMatchObject({
      ...byVisitor,
      type: "suspicious_activity",
      action: "Failed to sign in",
      status: "failure",
      severity: "medium",
      userEmail: user?.email,
      occurredAt: host.clock.now(),
      requestId: known.headers.get("x-request-id"),
    });
    await signIn("nobody@example.test", "not the password");
    const [ofUnknown] = await newRows();
    const { id, requestId, durationMs, userEmail } = { ...ofKnown };
    const whose = { id, requestId, durationMs, userEmail };
    expect({ ...ofUnknown, ...whose }).toEqual({ ...ofKnown, ...whose });
    expect(ofUnknown?.userEmail).toBe("nobody@example.test");
  });

  test("a failure in a user's browser is not recorded as theirs", async () => {
    const client = await member();
    await signIn("nobody@example.test", "not the password", client);
    expect(await newRows()).toMatchObject([{ ...byVisitor, userEmail: "nobody@example.test" }]);
  });

  test("one with the right password of an address that is not verified is nothing suspicious", async () => {
    const person = newPerson();
    await call(host.visitor(), "POST", "/api/auth/register", person);
    await newRows();
    expect((await signIn(person.email, person.password)).status).toBe(403);
    const entry = { type: "api_call", action: "Failed to sign in", severity: "low", status: "failure" };
    expect(await newRows()).toMatchObject([{ ...byVisitor, ...entry, userEmail: person.email }]);
  });

  test("one that the limits refuse weighs more, and repeats are one row that counts them", async () => {
    const email = "guessed@example.test";
    for (let tries = 0; tries < 14; tries += 1) await signIn(email, "guess");
    host.clock.advance(61_000);
    const rows = await newRows();
    const summed = new Map<string, number>();
    for (const { action, severity, occurrences } of rows) {
      const key = `${action}, ${severity}`;
      summed.set(key, (summed.get(key) ?? 0) + occurrences);
    }
    expect([...summed]).toEqual([
      ["Failed to sign in, medium", 10],
      ["Tried to sign in too often, high", 4],
    ]);
    expect(rows).toHaveLength(4);
  });

  test("an address that requests too many emails is recorded, though the response doesn't say so", async () => {
    const ask = () => call(host.visitor(), "POST", "/api/auth/forgot-password", { email: "a@example.test" });
    for (let asked = 0; asked < 101; asked += 1) expect((await ask()).status).toBe(200);
    const rows = (await newRows()).filter(({ type }) => type === "suspicious_activity");
    expect(rows).toMatchObject([
      { action: "Asked for too many emails", severity: "high", status: "failure" },
    ]);
  });
});

describe.each([...providerNames])("L4: %s:", (provider) => {
  const label = providerLabels[provider];

  test("registration and sign-in are recorded", async () => {
    const person = newMockPerson();
    await stage.signIn(provider, person);
    const registered = { type: "api_call", action: `Registered with ${label}`, userEmail: person.email };
    const signedIn = { action: "Signed in", description: `With ${label}`, userEmail: person.email };
    expect(await newRows()).toMatchObject([registered, signedIn]);
  });

  test("a callback without a start here is suspicious, a user who declines is not", async () => {
    await stage.browser().open(`/api/auth/${provider}/callback?state=forged&code=stolen`);
    stage[provider].cancel(true);
    await stage.signIn(provider, newMockPerson());
    stage[provider].cancel(false);
    const failed = { actorKind: "visitor", status: "failure", action: `Failed to sign in with ${label}` };
    expect(await newRows()).toMatchObject([
      {
        ...failed,
        type: "suspicious_activity",
        severity: "medium",
        description: "the state was not issued by this server",
      },
      { ...failed, type: "api_call", severity: "low", description: "the user declined" },
    ]);
  });

  test("linking and unlinking are recorded by name", async () => {
    const client = await member();
    const path = `/api/account/connections/${provider}`;
    const begun = await call(client, "POST", path, { password: testPassword });
    const browser = stage.browser();
    browser.cookies.set("sid", String(client.cookie).replace("sid=", ""));
    browser.cookies.set("oauth", /^oauth=([\w-]{43})/.exec(cookiesOf(begun).join())?.[1] ?? "");
    stage[provider].become(newMockPerson());
    const back = await visitProvider(host, (await begun.json()).data.url);
    expect(locationOf(await browser.open(back))).toBe(`/account/security?linked=${provider}`);
    expect((await call(client, "DELETE", path)).status).toBe(200);
    expect(await newRows()).toMatchObject([
      { ...by(client), action: "Link a sign-in provider", severity: "low" },
      { ...by(client), action: `Linked ${label} to their own account`, severity: "medium" },
      { ...by(client), action: `Unlinked ${label} from their own account`, severity: "medium" },
    ]);
  });
});

describe("what users do with an account leaves exactly one row:", () => {
  test("registering, asking for the link again, following it", async () => {
    const { email, name, password } = newPerson();
    const visitor = host.visitor();
    await call(visitor, "POST", "/api/auth/register", { email, name, password });
    host.clock.advance(61_000);
    await call(visitor, "POST", "/api/auth/resend-verification", { email });
    await call(visitor, "POST", `/api/auth/verify-email/${tokenIn(host.mails.at(-1))}`, { name, password });
    const rows = await newRows();
    expect(rows.map(({ action }) => action)).toEqual([
      "Asked to register",
      "Asked for another verification link",
      "Verified an email address with an emailed link",
    ]);
    for (const row of rows) expect(row).toMatchObject({ ...byVisitor, type: "api_call", userEmail: email });
  });

  test("asking for a new password and choosing one", async () => {
    const { user } = await member();
    const visitor = host.visitor();
    await call(visitor, "POST", "/api/auth/forgot-password", { email: user?.email });
    const path = `/api/auth/reset-password/${tokenIn(host.mails.at(-1))}`;
    expect((await call(visitor, "POST", path, { password: "another-fine-battery" })).status).toBe(200);
    expect(await newRows()).toMatchObject([
      { ...byVisitor, action: "Asked for a link to a new password", severity: "low", userEmail: user?.email },
      {
        ...byVisitor,
        action: "Chose a new password with an emailed link",
        severity: "medium",
        userEmail: user?.email,
      },
    ]);
  });

  test("changing name and password, ending sessions, downloading the data, signing out, leaving", async () => {
    const client = await member();
    const passwords = { currentPassword: testPassword, newPassword: "another-fine-battery" };
    await call(client, "PUT", "/api/account/name", { name: "Grace" });
    const renewed = await call(client, "PUT", "/api/account/password", passwords);
    const again = withCookieOf(client, renewed);
    await call(again, "DELETE", "/api/account/sessions");
    await call(again, "GET", "/api/account/export");
    await call(again, "DELETE", "/api/account", { password: "wrong" });
    host.clock.advance(1);
    await call(again, "DELETE", "/api/account", { password: passwords.newPassword });
    const rows = await newRows();
    expect(rows.map(({ action, severity, status }) => [action, severity, status])).toEqual([
      ["Change own name", "low", "success"],
      ["Change own password", "low", "success"],
      ["End all other sessions", "low", "success"],
      ["Downloaded their own data", "low", "success"],
      ["Confirmed a change with a wrong password", "medium", "failure"],
      ["Deleted their own account", "high", "success"],
    ]);
    for (const row of rows) expect(row).toMatchObject(by(client));
  });

  test("signing out, and sending a message, once however often the same is sent", async () => {
    const client = await member();
    const message = { name: "Ada", email: "ada@example.test", subject: "Sales", message: "Never in the log" };
    for (const _again of [1, 2]) await call(host.visitor(), "POST", "/api/contact", message);
    await call(client, "POST", "/api/auth/logout");
    await call(host.visitor(), "POST", "/api/auth/logout");
    const rows = await newRows();
    expect(rows).toMatchObject([
      { ...byVisitor, action: "Sent a contact message", description: "Sales", userEmail: "ada@example.test" },
      { ...by(client), action: "Sign out" },
    ]);
    expect(JSON.stringify(rows)).not.toContain(message.message);
  });
});

test("L4: the first administrator is recorded in the transaction that makes them", async () => {
  const fresh = await createTestHost({ hasher: createCheapHasher() });
  try {
    const link = await issueSetupLink(fresh.services);
    const person = newPerson();
    const body = { ...person, token: link?.split("token=")[1] };
    expect((await call(fresh.visitor(), "POST", "/api/auth/setup", body)).status).toBe(201);
    expect(await createActivityReader(fresh.services)()).toMatchObject([
      {
        ...byVisitor,
        type: "admin_action",
        action: "Created the first administrator with the setup link",
        severity: "high",
        userEmail: person.email,
      },
    ]);
  } finally {
    await fresh.close();
  }
});
