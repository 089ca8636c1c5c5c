import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { hashToken, newToken } from "#api/core/ids.ts";
import { tokens } from "#api/db/schema.ts";
import { addAccount, addRegistration, cookiesOf, readAccount } from "#api/testing/identity/local-accounts.ts";
import { type MockPerson, newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { type ProviderName, providerIdFields, providerNames, type User } from "#contract/users.ts";

// The five classes of Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022.

setDefaultTimeout(60_000);

const stage = await signInStageForFile();

const attackersPassword = "the-attackers-own-words";
const other: Record<ProviderName, ProviderName> = { google: "github", github: "google" };

const call = (path: string, body?: unknown) =>
  stage.host.visitor().call(body === undefined ? "GET" : "POST", path, body);
const logIn = async (email: string) =>
  (await call("/api/auth/login", { email, password: attackersPassword })).status;

/** The victim proves the address through a provider; resolves to the account that they get. */
const proveAddress = async (provider: ProviderName, victim: MockPerson): Promise<User> => {
  const { browser, location } = await stage.signIn(provider, victim);
  const user = await browser.user();
  if (user === null) throw new Error(`the victim was led to ${location}`);
  expect(user).toMatchObject({ email: String(victim.email), emailVerified: true });
  return user;
};

const prepareAccount = async (email: string, more: Partial<Parameters<typeof addAccount>[2]> = {}) =>
  addAccount(stage.host, email, {
    isVerified: false,
    passwordHash: await stage.host.services.hasher.hash(attackersPassword),
    ...more,
  });

describe.each([...providerNames])("O6: the owner of an address proves it with %s", (provider) => {
  test("classic-federated merge: the password of a registration made before opens nothing", async () => {
    const victim = newMockPerson();
    const email = String(victim.email);
    const body = { name: "Eve", email, password: attackersPassword };
    expect((await call("/api/auth/register", body)).status).toBe(201);
    const link = stage.host.mails.at(-1)?.link ?? "";
    expect(await logIn(email)).toBe(403);
    await proveAddress(provider, victim);
    expect(await logIn(email)).toBe(401);
    expect((await call(`/api/auth/verify-email/${link.split("token=")[1]}`)).status).toBe(400);
    expect(await logIn(email)).toBe(401);
    // And one that is made afterwards neither: its answer is that of an address without an account.
    stage.host.clock.advance(60_000);
    expect((await call("/api/auth/register", body)).status).toBe(201);
    expect(await logIn(email)).toBe(403);
  });

  test("classic-federated merge: nor does the password of an account that was never verified", async () => {
    const victim = newMockPerson();
    const id = await prepareAccount(String(victim.email));
    // The password is right, and only the address unproven.
    expect(await logIn(String(victim.email))).toBe(403);
    expect((await proveAddress(provider, victim)).id).toBe(id);
    expect(await logIn(String(victim.email))).toBe(401);
  });

  test("unexpired session: one that was begun before has ended, and its browser is a stranger", async () => {
    const victim = newMockPerson();
    const id = await prepareAccount(String(victim.email));
    const cookie = `sid=${cookiesOf(id).sid}`;
    const asAttacker = () => stage.host.request("/api/auth/user", { headers: { cookie } });
    expect((await asAttacker()).status).toBe(200);
    await proveAddress(provider, victim);
    expect((await asAttacker()).status).toBe(401);
    expect((await readAccount(stage.host, id)).devices.map(({ tokenHash }) => tokenHash)).not.toContain(
      hashToken(cookiesOf(id).device),
    );
  });

  test("trojan identity: one of the attacker's at the other provider does not lead to the account", async () => {
    const victim = newMockPerson();
    const attacker = newMockPerson();
    const identity = { [providerIdFields[other[provider]]]: attacker.subject };
    const id = await prepareAccount(String(victim.email), identity);
    await proveAddress(provider, victim);
    const { browser } = await stage.signIn(other[provider], attacker);
    expect((await browser.user())?.id).not.toBe(id);
    expect((await readAccount(stage.host, id)).user?.[providerIdFields[other[provider]]]).toBeNull();
  });

  test("unexpired link: neither a reset link nor a registration's works any more", async () => {
    const victim = newMockPerson();
    const email = String(victim.email);
    const id = await prepareAccount(email);
    const registration = await addRegistration(stage.host, email);
    const token = newToken(32);
    const expiresAt = new Date(stage.host.clock.now().getTime() + 3_600_000);
    await stage.host.db
      .insert(tokens)
      .values({ tokenHash: hashToken(token), purpose: "reset", userId: id, expiresAt });
    await proveAddress(provider, victim);
    const body = { password: attackersPassword };
    expect((await call(`/api/auth/reset-password/${token}`, body)).status).toBe(400);
    expect((await call(`/api/auth/verify-email/${registration}`)).status).toBe(400);
    expect(await logIn(email)).toBe(401);
  });

  test("non-verifying provider: an identity with the address unverified gets in neither before nor after", async () => {
    const victim = newMockPerson();
    const impostor = newMockPerson({ email: victim.email ?? null, isEmailVerified: false });
    for (const via of providerNames)
      expect(await (await stage.signIn(via, impostor)).browser.user()).toBeNull();
    const { id } = await proveAddress(provider, victim);
    for (const via of providerNames)
      expect(await (await stage.signIn(via, impostor)).browser.user()).toBeNull();
    const { user } = await readAccount(stage.host, id);
    expect([user?.googleId, user?.githubId]).not.toContain(impostor.subject);
  });

  test("an email address that only looks alike opens no account, however much the provider vouches for it", async () => {
    const victim = newMockPerson({ email: `fiona-${provider}@look.example` });
    const { id } = await proveAddress(provider, victim);
    for (const email of [`\ufb01ona-${provider}@look.example`, `\uff46iona-${provider}@look.example`]) {
      for (const via of providerNames) {
        const { browser, location } = await stage.signIn(via, newMockPerson({ email }));
        expect([await browser.user(), location]).toEqual([null, "/login?error=auth_failed"]);
      }
    }
    const { user } = await readAccount(stage.host, id);
    expect(user?.[providerIdFields[provider]]).toBe(victim.subject);
    expect(user?.[providerIdFields[other[provider]]]).toBeNull();
  });
});
