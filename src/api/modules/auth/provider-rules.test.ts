import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { openRules } from "#api/adapters/identity-provider/create-identity-providers.ts";
import type { IdentityProvider } from "#api/core/context.ts";
import type { ProviderRules } from "#api/core/providers.ts";
import { sessions, users } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { cookiesOf } from "#api/testing/browsers.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { testPassword } from "#api/testing/host.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { addAccount, readAccount, withoutStates } from "#api/testing/identity/local-accounts.ts";
import { type MockPerson, newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { type TestBrowser, visitProvider } from "#api/testing/identity/test-browser.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import { nameFromProfile } from "./provider-identity.ts";

const settings = createFixedSettings();
const usual = settings.current.accounts;
const stage = await signInStageForFile({ settings, oidc: { trustedDomains: ["trusted.example"] } });
const acme = stage.providers.get("acme");
afterEach(() => {
  if (acme) stage.providers.set("acme", acme);
  stage.acme?.change(null);
  settings.setAccounts(usual);
});

/** Signs someone in under these rules; resolves to the path that it leads to, and the user. */
const signIn = async (person: MockPerson, rules: Partial<ProviderRules>, claims: object = {}) => {
  if (acme === undefined) throw new Error("there is no third provider");
  stage.providers.set("acme", { ...acme, rules: { ...openRules, ...rules } });
  stage.acme?.change({ claims: { ...claims } });
  const { browser, location } = await stage.signIn("acme", person);
  return { location, browser, user: await browser.user() };
};
const reasons = () =>
  stage.host.logs.flatMap(({ message, fields }) =>
    message === "social sign-in failed" ? [fields?.reason] : [],
  );
const failed = "/login?error=auth_failed";

describe("a provider that creates no accounts", () => {
  test.each([
    ["at all", { maySignUp: false }, "the provider creates no accounts"],
    [
      "of this domain",
      { signUpDomains: ["acme.example"] },
      "the provider creates no accounts for this domain",
    ],
  ])("%s refuses a stranger, and links who has one", async (_, rules, reason) => {
    const person = newMockPerson();
    const before = withoutStates(await contentsOf(stage.host.db));
    expect(await signIn(person, rules)).toMatchObject({ location: failed, user: null });
    expect(reasons().at(-1)).toBe(reason);
    expect(withoutStates(await contentsOf(stage.host.db))).toEqual(before);
    const id = await addAccount(stage.host, String(person.email));
    expect((await signIn(person, rules)).user?.id).toBe(id);
    const subjects = stage.host.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject);
    expect(subjects).toContain("Acme was linked to your account");
  });

  test("of other domains takes addresses of those that are named, however they are written", async () => {
    const person = newMockPerson({ email: `Ada.${crypto.randomUUID()}@Acme.example` });
    expect((await signIn(person, { signUpDomains: ["acme.example"] })).location).toBe("/dashboard");
  });
});

test("addresses of a trusted domain count as verified without the provider's word, but not against it", async () => {
  const at = (domain: string) =>
    newMockPerson({ email: `${crypto.randomUUID()}@${domain}`, isEmailVerified: false });
  const silent = { email_verified: undefined };
  expect((await signIn(at("trusted.example"), {}, silent)).location).toBe("/dashboard");
  for (const domain of ["b.example", "x.trusted.example", "trusted.example.b.example"])
    expect((await signIn(at(domain), {}, silent)).location).toBe(failed);
  for (const denied of [false, "false"])
    expect((await signIn(at("trusted.example"), {}, { email_verified: denied })).location).toBe(failed);
});

describe("roles by groups", () => {
  const rules = { groupRoles: [{ group: "ops", role: "admin" as const }] };
  const inGroup = { groups: ["staff", "ops"] };
  const roleOf = async (id: string | undefined) => {
    const [row] = await stage.host.db
      .select({ role: users.role, source: users.roleSource })
      .from(users)
      .where(eq(users.id, String(id)));
    return [row?.role, row?.source];
  };
  const sessionsOf = (id: string | undefined) =>
    stage.host.db.$count(sessions, eq(sessions.userId, String(id)));
  const records = async () => {
    const rows = await createActivityReader(stage.host.services)();
    return rows
      .filter(({ action }) => action.includes("at Acme"))
      .map(({ action, severity }) => [action, severity]);
  };

  test("make an admin of who is in one, and a user of who left it, whose other sessions end", async () => {
    // Not the last one.
    await addAccount(stage.host, `${crypto.randomUUID()}@example.test`, { role: "admin" });
    const person = newMockPerson();
    const first = await signIn(person, rules, { groups: "staff" });
    expect(first.user?.role).toBe("user");
    const second = await signIn(person, rules, inGroup);
    expect([second.user?.role, await roleOf(second.user?.id)]).toEqual(["admin", ["admin", "acme"]]);
    expect([await first.browser.user(), await sessionsOf(second.user?.id)]).toEqual([null, 1]);
    // Whom the provider has no say about keeps the role.
    expect((await signIn(person, {})).user?.role).toBe("admin");
    const third = await signIn(person, rules, { groups: [] });
    expect([third.user?.role, await roleOf(third.user?.id)]).toEqual(["user", ["user", null]]);
    expect([await second.browser.user(), await sessionsOf(third.user?.id)]).toEqual([null, 1]);
    expect((await records()).slice(-2)).toEqual([
      ["Became an administrator by a group at Acme", "high"],
      ["Lost the group at Acme that makes an administrator", "high"],
    ]);
    const told = stage.host.mails.filter(({ to, subject }) => to === person.email && /admin/.test(subject));
    expect(told.map(({ subject }) => subject)).toEqual([
      "You are now an administrator",
      "You are no longer an administrator",
    ]);
  });

  test("give a new account its role, whatever else the list of groups contains", async () => {
    const { user } = await signIn(newMockPerson(), rules, { groups: [7, null, "ops"] });
    expect(user?.role).toBe("admin");
    const other = await signIn(newMockPerson(), rules, { groups: { ops: true }, roles: ["ops"] });
    expect(other.user?.role).toBe("user");
  });

  test("take no role away that someone gave here, or another provider", async () => {
    const admin = await stage.host.signedIn("admin");
    const person = newMockPerson();
    const { user } = await signIn(person, rules, inGroup);
    await stage.host.db
      .update(users)
      .set({ roleSource: "corp" })
      .where(eq(users.id, String(user?.id)));
    expect((await signIn(person, rules)).user?.role).toBe("admin");
    await stage.host.db
      .update(users)
      .set({ roleSource: "acme" })
      .where(eq(users.id, String(user?.id)));
    const kept = await admin.call("PUT", `/api/admin/users/${user?.id}/role`, { role: "admin" });
    expect([kept.status, await roleOf(user?.id)]).toEqual([200, ["admin", null]]);
    expect((await signIn(person, rules)).user?.role).toBe("admin");
  });

  test("make no one an admin again whom an admin here made a user", async () => {
    const admin = await stage.host.signedIn("admin");
    const person = newMockPerson();
    const { user } = await signIn(person, rules, inGroup);
    const path = `/api/admin/users/${user?.id}/role`;
    for (const _ of ["changed", "the same again"])
      expect((await admin.call("PUT", path, { role: "user" })).status).toBe(200);
    expect((await signIn(person, rules, inGroup)).user?.role).toBe("user");
  });

  test("never take it from the last admin, which is recorded as critical", async () => {
    const person = newMockPerson();
    const { user } = await signIn(person, rules, inGroup);
    const others = await stage.host.db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
    for (const { id } of others)
      if (id !== user?.id) await stage.host.db.update(users).set({ role: "user" }).where(eq(users.id, id));
    const again = await signIn(person, rules);
    expect([again.location, again.user?.role]).toEqual(["/dashboard", "admin"]);
    expect((await records()).at(-1)).toEqual([
      "Lost the group at Acme that makes an administrator",
      "critical",
    ]);
  });
});

describe("a second factor that was given at the provider", () => {
  const addOwner = async () => {
    const person = newMockPerson();
    const id = await addAccount(stage.host, String(person.email));
    await signIn(person, {});
    await stage.host.db.update(users).set({ secondFactorAt: stage.host.clock.now() }).where(eq(users.id, id));
    return { id, person };
  };

  test("counts where the provider is marked so, as one that was given now", async () => {
    const { id, person } = await addOwner();
    const { location } = await signIn(person, { isFactorTrusted: true }, { amr: ["pwd", "otp"] });
    expect(location).toBe("/dashboard");
    const factors = (await readAccount(stage.host, id)).sessions.map(({ factorAt }) => factorAt);
    expect(factors).toContainEqual(stage.host.clock.now());
  });

  test.each([
    ["the provider is not marked so", {}, { amr: ["otp"] }],
    ["it was a password alone", { isFactorTrusted: true }, { amr: ["pwd"] }],
    ["the provider doesn't say", { isFactorTrusted: true }, {}],
  ])("doesn't count if %s", async (_, rules, claims) => {
    const { person } = await addOwner();
    const { location, user } = await signIn(person, rules, claims);
    expect([location, user]).toEqual(["/login?step=factor&from=%2Fdashboard", null]);
  });
});

describe("where a second factor is required, one that was given at the provider", () => {
  const trusted = { isFactorTrusted: true, groupRoles: [{ group: "ops", role: "admin" as const }] };
  const strong = { amr: ["otp"], groups: ["ops"] };
  const weak = { ...strong, amr: ["pwd"] };
  const meet = (person: MockPerson, claims: object = strong) => {
    settings.setAccounts({ ...usual, secondFactor: "everyone", graceDays: 0 });
    return signIn(person, trusted, claims);
  };
  const ask = async ({ cookies }: TestBrowser, method: string, path: string, body?: object) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await stage.host.visitor().call(method, path, body, { cookie });
    for (const set of cookiesOf(answer)) {
      const [, name = "", value = ""] = /^(\w+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return { status: answer.status, ...(await answer.json()) };
  };
  const overdue = { status: 403, code: "ENROLMENT_REQUIRED" };
  /** What is offered changes together with the settings, which tell whoever remembers sessions. */
  const offer = (provider: IdentityProvider | undefined) => {
    if (provider === undefined) throw new Error("there is no third provider");
    stage.providers.set("acme", provider);
    settings.setProviders([]);
  };

  test("is the one that is required, also once its confirmation has ended; what needs it asks for it there", async () => {
    const { browser } = await meet(newMockPerson());
    expect((await ask(browser, "GET", "/api/account")).status).toBe(200);
    const { data } = await ask(browser, "GET", "/api/account/session");
    expect([data.factorRequiredBy, data.confirmedUntil === null]).toEqual([null, false]);
    expect((await ask(browser, "DELETE", "/api/account/confirm")).status).toBe(200);
    expect((await ask(browser, "GET", "/api/account")).status).toBe(200);
    expect(await ask(browser, "POST", "/api/admin/tokens", { name: "x", scopes: ["*"] })).toMatchObject({
      ...{ code: "REAUTHENTICATION_REQUIRED", data: { wanted: "factor", ways: ["acme"] } },
    });
  });

  test("is none without the provider's word, and none anymore once the provider is not trusted with it", async () => {
    const person = newMockPerson();
    const { browser } = await meet(person);
    const { browser: other } = await meet(person, weak);
    expect(await ask(other, "GET", "/api/account")).toMatchObject(overdue);
    expect((await ask(browser, "GET", "/api/account")).status).toBe(200);
    offer(acme && { ...acme, rules: openRules });
    expect(await ask(browser, "GET", "/api/account")).toMatchObject(overdue);
  });

  test("ends with its provider's issuer, and keeps the provider from being unlinked", async () => {
    const person = newMockPerson();
    await addAccount(stage.host, String(person.email));
    const { browser } = await meet(person);
    const unlinked = await ask(browser, "DELETE", "/api/account/connections/acme");
    expect(unlinked).toMatchObject({ status: 409, code: "LAST_SECOND_FACTOR" });
    expect((await ask(browser, "GET", "/api/account")).status).toBe(200);
    const trusted = stage.providers.get("acme");
    offer(trusted && { ...trusted, issuer: "https://moved.example" });
    expect(await ask(browser, "GET", "/api/account")).toMatchObject(overdue);
    offer(trusted);
    settings.setAccounts(usual);
    expect((await ask(browser, "DELETE", "/api/account/connections/acme")).status).toBe(200);
    settings.setAccounts({ ...usual, secondFactor: "everyone", graceDays: 0 });
    expect(await ask(browser, "GET", "/api/account")).toMatchObject(overdue);
  });

  test("is asked for before another one is set up in a session of the password, which then has it", async () => {
    const person = newMockPerson();
    const email = String(person.email);
    const passwordHash = await stage.host.services.hasher.hash(testPassword);
    await addAccount(stage.host, email, { passwordHash });
    await meet(person);
    const browser = stage.browser();
    await ask(browser, "POST", "/api/auth/login", { email, password: testPassword });
    for (const path of ["passkeys/ceremony", "totp"])
      expect(await ask(browser, "POST", `/api/account/${path}`)).toMatchObject({
        ...{ code: "REAUTHENTICATION_REQUIRED", data: { wanted: "factor", ways: ["acme"] } },
      });
    stage.acme?.change({
      claims: { ...strong, auth_time: Math.floor(stage.host.clock.now().getTime() / 1000) },
    });
    const { data } = await ask(browser, "POST", "/api/account/confirm/provider", { provider: "acme" });
    await browser.open(await visitProvider(stage.host, data.url));
    expect((await ask(browser, "GET", "/api/account")).status).toBe(200);
    expect((await ask(browser, "POST", "/api/account/totp")).status).toBe(200);
    await ask(browser, "POST", "/api/auth/logout");
    stage.providers.delete("acme");
    const other = stage.browser();
    await ask(other, "POST", "/api/auth/login", { email, password: testPassword });
    expect((await ask(other, "POST", "/api/account/totp")).status).toBe(200);
  });

  test("lets an administrator's API tokens work until they sign in without it", async () => {
    const person = newMockPerson();
    const { user } = await meet(person);
    const token = await newTokenClient(stage.host, { owner: user, scopes: ["users:read"] });
    const list = async () => (await token.call("GET", "/api/admin/users")).status;
    expect(await list()).toBe(200);
    await meet(person, weak);
    expect(await list()).toBe(403);
    await meet(person);
    expect(await list()).toBe(200);
  });

  test("is still given in the session that continues after a change of the password", async () => {
    const person = newMockPerson();
    const passwordHash = await stage.host.services.hasher.hash(testPassword);
    await addAccount(stage.host, String(person.email), { passwordHash });
    const { browser } = await meet(person);
    const change = { currentPassword: testPassword, newPassword: "quite another long password" };
    expect((await ask(browser, "PUT", "/api/account/password", change)).status).toBe(200);
    expect((await ask(browser, "GET", "/api/account")).status).toBe(200);
  });
});

const nameOf = (name: string | null, email = "ada@example.test") =>
  nameFromProfile({ subject: "1", name, email, isEmailVerified: true }, email);

describe("the name of someone who comes from a provider", () => {
  test.each([
    ["Ada Lovelace", "Ada Lovelace"],
    ["  Ada  ", "Ada"],
    ["Ada\u202eLovelace\n", "Ada Lovelace"],
    ["👩‍🚀 Ada", "👩‍🚀 Ada"],
    ["x".repeat(150), "x".repeat(100)],
    ["😀".repeat(150), "😀".repeat(100)],
    ["", "ada"],
    ["\u3164\u200b", "ada"],
    [null, "ada"],
  ])("is for %j the one that can be shown: %j", (given, expected) => {
    expect(nameOf(given)).toBe(expected);
  });

  test("is for a very long address the beginning of it", () => {
    expect(nameOf(null, `${"a".repeat(200)}@example.test`)).toBe("a".repeat(100));
  });

  test("keeps to the rules for names, whatever the provider says", () => {
    for (const text of hostileTexts) expect([text, nameComplaint(nameOf(text))]).toEqual([text, null]);
  });
});
