import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { and, eq, isNull } from "drizzle-orm";
import {
  createIdentityProviders,
  environmentProviders,
} from "#api/adapters/identity-provider/create-identity-providers.ts";
import { testOpenIdProvider } from "#api/adapters/identity-provider/create-provider-test.ts";
import { identities, settings, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { noConnectionTests } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { testOrigin } from "#api/testing/host.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { addAccount } from "#api/testing/identity/local-accounts.ts";
import { startMockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { createTestBrowser } from "#api/testing/identity/test-browser.ts";
import { saidInLog, settingsCalls } from "#api/testing/settings-calls.ts";
import { fieldTexts } from "#contract/errors.ts";
import { mostProviders, providerSettings, providerTexts } from "#contract/provider-settings.ts";
import { settingsTexts } from "#contract/settings.ts";

const corp = {
  ...{ id: "corp", label: "Corp", issuer: "https://id.corp.example", clientId: "atrium" },
  ...{ clientSecret: "secret-of-corp-canary", scopes: ["openid"], trustedDomains: [] },
  claims: providerSettings.defaults.claims,
  rules: { maySignUp: true, signUpDomains: null, groupRoles: null, isFactorTrusted: false },
};
const config = {
  ...{ google: null, github: null, googleIssuer: "https://accounts.google.com", googleFormerIssuer: null },
  ...{ githubBaseUrl: "", githubFormerBaseUrl: null, githubApiUrl: "", oidcProviders: [corp] },
};

const mock = await startMockOpenId("acme");
const host = await hostForFile({
  hasher: createCheapHasher(),
  connectionTests: { ...noConnectionTests, provider: testOpenIdProvider },
  settings: "stored",
  providers: (settings) => createIdentityProviders({ config, appUrl: testOrigin, settings }),
  environmentProviders: environmentProviders(config),
});
const admin = await host.signedIn("admin");
afterAll(async () => {
  await mock.stop();
});

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await admin.call(method, `/api/auth/settings/providers${path}`, body);
  return { status: answer.status, body: await answer.json() };
};
const acme = () => ({ issuer: `${mock.url}/`, ...mock.client });
const set = (id: string, change: object) => call("PUT", `/${id}`, change);
const show = async (id: string) => (await call("GET", `/${id}`)).body.data;
const offered = async (): Promise<string[]> => {
  const { data } = await (await host.visitor().call("GET", "/api/auth/providers")).json();
  return data.providers.map(({ id }: { id: string }) => id);
};
const signIn = async (person = newMockPerson()) => {
  mock.become(person);
  const browser = createTestBrowser(host);
  const location = await browser.signIn("/api/auth/acme");
  return { location, user: await browser.user() };
};
const plan = async (operation: string, input: object) => {
  const answer = await admin.call("POST", `/api/plan/${operation}`, input);
  return (await answer.json()).data.summary;
};
const gone = "/login?error=provider_gone";

beforeEach(async () => {
  await host.db.delete(identities);
  await host.db.delete(users).where(isNull(users.passwordHash));
  const { providers } = (await call("GET", "")).body.data;
  for (const { id, source } of providers) if (source === "settings") await call("DELETE", `/${id}`);
});

test("a provider that is added signs users in without a restart; switched off or removed it no longer does, and its users stay linked", async () => {
  const person = newMockPerson();
  const added = await set("acme", acme());
  expect([added.status, added.body.message]).toEqual([200, "Acme was saved"]);
  expect(added.body.data).toMatchObject({
    ...{ id: "acme", kind: "oidc", source: "settings", lockedBy: null, state: "on", hasClientSecret: true },
    settings: { label: "Acme", issuer: mock.url, scopes: ["openid", "email", "profile"] },
    redirectUri: `${testOrigin}/api/auth/acme/callback`,
    logoutUri: `${testOrigin}/api/auth/acme/backchannel-logout`,
  });
  expect(await offered()).toEqual(["corp", "acme"]);
  const { location, user } = await signIn(person);
  expect([location, user?.email]).toEqual(["/dashboard", String(person.email)]);
  expect(await show("acme")).toMatchObject({ users: 1, usersWithoutOther: 1, usersElsewhere: 0 });

  expect(await plan("providers.set", { provider: "acme", isEnabled: false })).toBe(
    `Would change providers.acme.isEnabled from true to false. ${providerTexts.leftOut(1)}`,
  );
  const off = await set("acme", { isEnabled: false });
  expect(off.body.message).toBe(`Acme was saved. ${providerTexts.leftOut(1)}`);
  expect([await offered(), (await signIn(person)).location]).toEqual([["corp"], gone]);
  await set("acme", { isEnabled: true });
  expect((await signIn(person)).location).toBe("/dashboard");

  // Someone who is on the way when it is removed.
  mock.become(person);
  const browser = createTestBrowser(host);
  const back = await browser.goToProvider("/api/auth/acme");
  expect(await plan("providers.remove", { provider: "acme" })).toBe(
    `Would remove Acme and its client secret. ${providerTexts.leftOut(1)}`,
  );
  const removed = await call("DELETE", "/acme");
  expect(removed.body).toMatchObject({
    message: `Acme was removed. ${providerTexts.leftOut(1)}`,
    data: { id: "acme", label: "Acme", usersWithoutOther: 1 },
  });
  expect([await offered(), await browser.signIn(back), (await signIn(person)).location]).toEqual([
    ["corp"],
    gone,
    gone,
  ]);
  expect((await admin.call("GET", "/api/auth/never")).status).toBe(404);
  expect(await host.db.$count(identities, eq(identities.userId, String(user?.id)))).toBe(1);
  expect((await call("GET", "/acme")).status).toBe(404);
  expect((await call("DELETE", "/acme")).status).toBe(404);

  await set("acme", acme());
  expect((await signIn(person)).user?.id).toBe(user?.id);
});

test("only users with neither a password nor another provider count as without another way", async () => {
  await set("acme", acme());
  const before = await show("acme");
  const link = async (account: Partial<typeof users.$inferInsert>, ...providers: string[]) => {
    const userId = await addAccount(host, `${crypto.randomUUID()}@example.test`, {
      passwordHash: null,
      ...account,
    });
    for (const name of providers) {
      const [provider = "", issuer = provider === "corp" ? corp.issuer : mock.url] = name.split("@");
      await addIdentity(host.db, { userId, provider, issuer, subject: crypto.randomUUID() });
    }
  };
  await link({}, "acme");
  await link({ passwordHash: "hash" }, "acme");
  await link({}, "acme", "corp");
  // What is not offered here is no way in.
  await link({}, "acme", "former");
  await link({}, "acme", "corp@https://moved.example");
  await link({ disabledAt: host.clock.now() }, "acme");
  const after = await show("acme");
  expect([after.users - before.users, after.usersWithoutOther - before.usersWithoutOther]).toEqual([5, 3]);
});

test("administrators by its groups are named when it is switched off, and their sessions through it end", async () => {
  await set("acme", { ...acme(), groupRoles: ["ops:admin"] });
  mock.become(newMockPerson());
  mock.change({ claims: { groups: ["ops"] } });
  const browser = createTestBrowser(host);
  await browser.signIn("/api/auth/acme");
  mock.change(null);
  mock.become(newMockPerson());
  const member = createTestBrowser(host);
  await member.signIn("/api/auth/acme");
  expect([(await browser.user())?.role, (await member.user())?.role]).toEqual(["admin", "user"]);
  expect(await plan("providers.set", { provider: "acme", isEnabled: false })).toContain(
    providerTexts.adminsStay(1),
  );
  expect((await set("acme", { isEnabled: false })).body.message).toContain(providerTexts.adminsStay(1));
  expect([await browser.user(), (await member.user())?.role]).toEqual([null, "user"]);
});

test("the only way in of the last administrator can't be switched off, moved to another issuer or removed", async () => {
  await set("acme", acme());
  const admins = and(eq(users.role, "admin"), isNull(users.disabledAt));
  const passwords = await host.db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(admins);
  await host.db.update(users).set({ passwordHash: null }).where(admins);
  const userId = passwords[0]?.id ?? "";
  await addIdentity(host.db, { userId, provider: "acme", issuer: mock.url, subject: crypto.randomUUID() });
  const moved = { issuer: "https://other.example", clientSecret: "another" };
  const planned = await admin.call("POST", "/api/plan/providers.remove", { provider: "acme" });
  const codes = [(await planned.json()).code];
  for (const change of [{ isEnabled: false }, moved]) codes.push((await set("acme", change)).body.code);
  codes.push((await call("DELETE", "/acme")).body.code);
  expect(codes).toEqual(Array.from(codes, () => "LAST_ADMIN"));
  expect((await set("acme", { label: "Ours", clientSecret: "another" })).status).toBe(200);
  for (const { id, passwordHash } of passwords)
    await host.db.update(users).set({ passwordHash }).where(eq(users.id, id));
  expect((await call("DELETE", "/acme")).status).toBe(200);
});

test("claims by other names are read where they are named; email_verified vouches for no other claim than email", async () => {
  const email = () => `${crypto.randomUUID()}@trusted.example`;
  const claims = (address: string) => ({
    ...{ preferred_username: address, email_verified: true, given: "Ada", realm_access: { roles: ["ops"] } },
    ...{ "https://acme.example/ok": true },
  });
  const named = {
    email: "preferred_username",
    emailVerified: "",
    name: "given",
    groups: "realm_access.roles",
  };
  const arrive = async (change: object) => {
    await set("acme", { ...acme(), trustedDomains: [], ...change });
    const address = email();
    mock.change({ claims: claims(address) });
    const { location, user } = await signIn();
    mock.change(null);
    return [location, user?.email === address && user];
  };
  expect(await arrive({ claims: named })).toEqual(["/login?error=auth_failed", false]);
  const trusted = { claims: named, trustedDomains: ["Trusted.example"], groupRoles: ["ops:admin"] };
  expect(await arrive(trusted)).toEqual([
    "/dashboard",
    expect.objectContaining({ name: "Ada", role: "admin" }),
  ]);
  const vouched = { claims: { ...named, emailVerified: "https://acme.example/ok" } };
  expect((await arrive(vouched))[0]).toBe("/dashboard");
});

test("users of a former issuer or name are counted, and the client secret isn't sent to another one", async () => {
  await set("acme", acme());
  await signIn();
  const { users: linked } = await show("acme");
  for (const issuer of ["https://other.example", `${mock.url}/another-tenant`]) {
    const moved = await set("acme", { issuer });
    const errors = [{ path: "clientSecret", message: settingsTexts.enterAgain }];
    expect([moved.status, moved.body.errors]).toEqual([422, errors]);
  }
  const { body } = await set("acme", { issuer: "https://other.example", clientSecret: "another" });
  expect(body.data).toMatchObject({ users: 0, usersElsewhere: linked });
  expect(body.message).toContain(providerTexts.leftBehind(linked));
  await call("DELETE", "/acme");
  const renamed = (await set("renamed", acme())).body;
  expect(renamed.data).toMatchObject({ users: 0, usersElsewhere: linked });
  expect(renamed.message).toContain(providerTexts.leftBehind(linked));
});

describe("what is wrong is said at its field, and nothing is saved:", () => {
  const complete = { issuer: "https://id.example", clientId: "atrium", clientSecret: "secret" };
  test.each([
    ["b", complete, "provider", providerTexts.nameInvalid],
    ["Acme", complete, "provider", providerTexts.nameInvalid],
    ["google", complete, "provider", providerTexts.nameReserved],
    ["b2", { ...complete, issuer: undefined }, "issuer", providerTexts.issuerInvalid],
    ["b2", { ...complete, issuer: "http://id.example" }, "issuer", providerTexts.issuerInvalid],
    ["b2", { ...complete, issuer: "https://id.example/?a=b" }, "issuer", providerTexts.issuerInvalid],
    ["b2", { ...complete, issuer: "https://169.254.169.254" }, "issuer", settingsTexts.addressRefused],
    ["b2", { ...complete, issuer: "https://id.example:25" }, "issuer", settingsTexts.addressRefused],
    ["b2", { ...complete, issuer: corp.issuer }, "issuer", providerTexts.issuerTaken("Corp")],
    ["b2", { ...complete, clientId: "a b" }, "clientId", providerTexts.clientIdInvalid],
    ["b2", { ...complete, clientSecret: undefined }, "clientSecret", fieldTexts.required],
    ["b2", { ...complete, clientSecret: "a b" }, "clientSecret", providerTexts.secretInvalid],
    ["b2", { ...complete, label: "x".repeat(41) }, "label", "Title must be 1 to 40 visible characters"],
    ["b2", { ...complete, trustedDomains: ["*"] }, "trustedDomains", expect.stringContaining("domains")],
    ["b2", { ...complete, groupRoles: ["admins:owner"] }, "groupRoles", expect.stringContaining("groups")],
    ["b2", { ...complete, claims: { email: "" } }, "claims.email", expect.stringContaining("Email claim")],
    ["constructor", { label: "x" }, "issuer", providerTexts.issuerInvalid],
  ])("%s %j", async (id, change, path, message) => {
    const { status, body } = await set(id, change);
    expect([status, body.errors?.[0]]).toEqual([422, { path, message }]);
    expect((await call("GET", `/${id}`)).status).toBe(404);
  });

  test("too many of them", async () => {
    for (let count = 1; count <= mostProviders; count += 1)
      expect((await set(`many${count}`, { ...complete, issuer: `https://${count}.example` })).status).toBe(
        200,
      );
    expect((await set("onemore", complete)).body).toMatchObject({
      code: "CONFLICT",
      message: providerTexts.tooMany(mostProviders),
    });
  });
});

describe("a provider of the environment", () => {
  test("is listed first, with the variables that lock it, and can't be changed or removed", async () => {
    const [first] = (await call("GET", "")).body.data.providers;
    expect(first).toMatchObject({ id: "corp", source: "environment", lockedBy: "OIDC_CORP_*", state: "on" });
    const message = providerTexts.lockedByEnvironment("Corp", "OIDC_CORP_*");
    for (const answer of [await set("corp", { label: "Ours" }), await call("DELETE", "/corp")])
      expect(answer.body).toMatchObject({ code: "CONFLICT", message });
  });

  test.each([
    ["id", { id: "acme" }],
    ["issuer", { issuer: "https://id.acme.example" }],
  ])(
    "takes the place of one that an admin added with the same %s, which can still be removed",
    async (_, same) => {
      await set("acme", { issuer: "https://id.acme.example", clientId: "atrium", clientSecret: "secret" });
      const provider = { ...corp, ...same };
      const offers = [
        ...createIdentityProviders({
          config: { ...config, oidcProviders: [provider] },
          appUrl: testOrigin,
          settings: host.services.settings,
        }),
      ];
      expect(offers.map(([id, { issuer }]) => [id, issuer])).toEqual([[provider.id, provider.issuer]]);
      host.services.environmentProviders = environmentProviders({ ...config, oidcProviders: [provider] });
      const { providers } = (await call("GET", "")).body.data;
      expect(providers.map((one: { source: string; state: string }) => [one.source, one.state])).toEqual([
        ["environment", "on"],
        ["settings", "overruled"],
      ]);
      expect((await call("DELETE", "/acme")).status).toBe(200);
      host.services.environmentProviders = environmentProviders(config);
    },
  );
});

test("a test tries what is stored or entered, with the stored secret for its own issuer alone, and changes nothing", async () => {
  const tried = (id: string, body: object = {}) => call("POST", `/${id}/test`, body);
  await set("acme", acme());
  const before = await host.db.select().from(settings);
  expect((await tried("acme")).body.data.testResult.title).toBe(providerTexts.testWorks);
  const wrong = await tried("acme", { clientSecret: "canary-wrong" });
  expect(wrong.body).toMatchObject({ code: "TEST_FAILED", data: { testResult: { severity: "error" } } });
  for (const issuer of ["https://other.example", `${mock.url}/another-tenant`]) {
    const { body } = await tried("acme", { issuer });
    expect(body.errors).toEqual([{ path: "clientSecret", message: settingsTexts.enterAgain }]);
  }
  expect((await tried("b2", { clientId: "a", clientSecret: "b" })).body.errors[0].path).toBe("issuer");
  expect((await tried("never")).status).toBe(404);
  expect((await tried("corp", { label: "Ours" })).body.code).toBe("CONFLICT");
  expect(await host.db.select().from(settings)).toEqual(before);
  await call("DELETE", "/acme");
  expect((await tried("b2", acme())).status).toBe(200);
});

test("the client secret is in no answer, no record and no log, and a change of providers can't be reverted", async () => {
  const secret = "canary-client-secret-Kq7vWm2xLr9T";
  const { history, tell } = settingsCalls(admin);
  const said: unknown[] = [
    await set("acme", { ...acme(), clientSecret: secret }),
    await plan("providers.set", { provider: "acme", clientSecret: secret }),
    await set("acme", { clientSecret: secret, label: "Other" }),
    await set("acme", { clientSecret: secret, issuer: "nowhere" }),
    await call("GET", ""),
    await call("GET", "/corp"),
  ];
  const changes = await history();
  // Not for want of a later change.
  expect(changes[0]).toMatchObject({ canRevert: false });
  expect(changes[1]).toMatchObject({
    section: "providers",
    canRevert: false,
    fields: expect.arrayContaining([
      { path: "acme.issuer", isSecret: false, before: "", after: mock.url },
      { path: "acme.clientSecret", isSecret: true, deed: "set" },
    ]),
  });
  const id: unknown = Reflect.get(Object(changes[0]), "id");
  const reverted = await tell("POST", `/history/${id}/revert`);
  expect(reverted.answer).toMatchObject({ code: "CONFLICT", message: settingsTexts.providersStay });
  said.push(await call("DELETE", "/acme"), await history(), reverted);
  await host.services.activity.settle();
  said.push(await (await admin.call("GET", "/api/admin/activity?limit=100")).json(), saidInLog(host));
  expect(JSON.stringify(said)).not.toContain("canary");
});
