import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { adminAction } from "#api/core/admin-action.ts";
import type { Services } from "#api/core/context.ts";
import { hashToken } from "#api/core/ids.ts";
import { issueSetupLink } from "#api/modules/auth/index.ts";
import { cookiesOf } from "#api/testing/browsers.ts";
import { createTestHost, type TestClient } from "#api/testing/host.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { tokenIn } from "#api/testing/people.ts";
import { providerNames } from "#contract/users.ts";

/** Everything that must not be found; hashes of tokens too, because they are what the database knows them by. */
const secrets = new Set<string>();
const token = (text: string): string => {
  secrets.add(text).add(hashToken(text));
  return text;
};
const password = (name: string): string => {
  const text = `canary-password-${name}`;
  secrets.add(text);
  return text;
};
const keepCookies = (answer: Response): void => {
  for (const cookie of cookiesOf(answer)) {
    const value = /^[\w-]+=([\w-]{20,})/.exec(cookie)?.[1];
    if (value !== undefined) token(value);
  }
};

const call = async (client: TestClient, method: string, path: string, body?: unknown) => {
  const answer = await client.call(method, path, body);
  keepCookies(answer);
  return answer;
};

const stage = await signInStageForFile();
const host = stage.host;

const email = "canary@example.test";

/** Everything that people do with passwords and tokens, well and badly. */
const liveAnAccount = async (): Promise<void> => {
  const visitor = host.visitor();
  const first = password("first");
  const person = { name: "Canary", email, password: first };
  await call(visitor, "POST", "/api/auth/register", person);
  await call(visitor, "POST", "/api/auth/login", { email, password: first });
  await call(visitor, "POST", "/api/auth/login", { email, password: password("guessed") });
  const link = token(tokenIn(host.mails.at(-1)));
  await call(visitor, "GET", `/api/auth/verify-email/${token(`${link.slice(1)}x`)}`);
  expect((await call(visitor, "GET", `/api/auth/verify-email/${link}`)).status).toBe(409);
  const chosen = { name: "Canary", password: first };
  expect((await call(visitor, "POST", `/api/auth/verify-email/${link}`, chosen)).status).toBe(201);
  const signedIn = await call(visitor, "POST", "/api/auth/login", { email, password: first });
  const cookie = cookiesOf(signedIn).join("; ");
  const member: TestClient = {
    ...visitor,
    call: (method, path, body) =>
      visitor.call(method, path, body, { cookie: /sid=[\w-]+/.exec(cookie)?.[0] ?? "" }),
  };
  const wrong = { currentPassword: password("wrong"), newPassword: password("refused") };
  await call(member, "PUT", "/api/account/password", wrong);
  await call(member, "POST", "/api/account/connections/google", { password: first });
  await call(member, "DELETE", `/api/account/sessions/${token("S".repeat(43))}`);
  await call(member, "PUT", "/api/account/password", {
    currentPassword: first,
    newPassword: password("second"),
  });
  host.clock.advance(61_000);
  await call(visitor, "POST", "/api/auth/forgot-password", { email });
  const reset = token(tokenIn(host.mails.at(-1)));
  const body = { password: password("third") };
  await call(visitor, "POST", `/api/auth/reset-password/${token("R".repeat(43))}`, body);
  expect((await call(visitor, "POST", `/api/auth/reset-password/${reset}`, body)).status).toBe(200);
};

const signInByProviders = async (): Promise<void> => {
  for (const provider of providerNames) {
    secrets.add(stage[provider].client.clientSecret);
    const { browser } = await stage.signIn(provider, newMockPerson());
    for (const value of browser.cookies.values()) token(value);
    const forged = `state=${token("s".repeat(60))}&code=${token("c".repeat(40))}`;
    await browser.open(`/api/auth/${provider}/callback?${forged}`);
    for (const fault of ["refused", "status-500"] as const) {
      stage[provider].fail(fault);
      await stage.signIn(provider, newMockPerson());
      stage[provider].fail(null);
    }
  }
};

const lookAfterAccounts = async (admin: TestClient): Promise<void> => {
  const made = { name: "Made", email: "made@example.test", password: password("made"), role: "user" };
  await call(admin, "POST", "/api/admin/users", made);
  await call(admin, "POST", "/api/admin/users", made);
  await call(admin, "POST", `/api/admin/users/${made.email}/send-reset`);
  token(tokenIn(host.mails.at(-1)));
  // What somebody pastes into the wrong place is no name of an account.
  await call(admin, "DELETE", `/api/admin/users/${token("Aa1".repeat(14))}`);
  await call(admin, "DELETE", `/api/admin/users/${made.email}`);
};

const careless = async (services: Services): Promise<void> => {
  const ctx = { ...services, requestId: "test", ip: "local", userAgent: `agent ${token("Bb2".repeat(14))}` };
  const settings = { apiToken: password("field"), endpoint: `redis://user:${password("url")}@redis.example` };
  const act = { type: "configuration_changed", action: "Saved settings" } as const;
  const described = {
    description: `now ${settings.endpoint}`,
    before: { nested: [settings] },
    after: settings,
  };
  await adminAction({ ...ctx, actor: { kind: "operator" } }, { ...act, ...described }, async () => {});
};

/** Every byte that the log stores, and every one that it answers. */
const allThatIsSaid = async (admin: TestClient): Promise<Record<string, string>> => {
  const inbox = JSON.stringify(await host.db.execute(sql`select * from activity_inbox`));
  const stream = readStream(await admin.call("GET", "/api/admin/activity/stream?after=0"));
  const read = async (path: string) => {
    const answer = await admin.call("GET", `/api/admin/activity${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const list = await read("?limit=100");
  const said = {
    inbox,
    list,
    one: await read(`/${JSON.parse(list).data.activities[0].id}`),
    csv: await read("/export?format=csv"),
    ndjson: await read("/export?format=ndjson"),
    rows: JSON.stringify(await host.db.execute(sql`select * from activities`)),
  };
  const count = JSON.parse(list).data.activities.length;
  await stream.actions(count);
  await stream.close();
  return { ...said, stream: stream.text };
};

describe("S1: no password and no token, right or wrong, is anywhere in the activity log:", () => {
  test("not in rows, inbox, list, file or stream, whatever was done with it", async () => {
    const admin = await host.signedIn("admin");
    token(String(admin.cookie).replace("sid=", ""));
    await liveAnAccount();
    await signInByProviders();
    await lookAfterAccounts(admin);
    await careless(host.services);
    const said = await allThatIsSaid(admin);
    expect(secrets.size).toBeGreaterThan(30);
    for (const [where, text] of Object.entries(said)) {
      expect([where, text.length > 1_000]).toEqual([where, where !== "one"]);
      for (const secret of secrets)
        expect([where, secret, text.includes(secret)]).toEqual([where, secret, false]);
    }
    // Enough was done for this to mean something.
    for (const action of [
      "Signed in",
      "Failed to sign in",
      "Change own password",
      "Added a user",
      "Saved settings",
    ])
      expect(said.rows).toContain(action);
  });

  test("nor is that of the setup link, or of the first administrator", async () => {
    const fresh = await createTestHost();
    try {
      const link = await issueSetupLink(fresh.services);
      const setup = {
        name: "First",
        email,
        password: password("set-up"),
        token: token(link?.split("token=")[1] ?? ""),
      };
      const wrong = { ...setup, token: token("W".repeat(43)) };
      for (const body of [wrong, setup]) await call(fresh.visitor(), "POST", "/api/auth/setup", body);
      await fresh.services.activity.settle();
      const rows = JSON.stringify(await fresh.db.execute(sql`select * from activities`));
      expect(rows).toContain("Created the first administrator");
      for (const secret of secrets) expect([secret, rows.includes(secret)]).toEqual([secret, false]);
    } finally {
      await fresh.close();
    }
  });
});
