import { describe, expect, test } from "bun:test";
import { hashToken, newToken } from "#api/core/ids.ts";
import { tokens, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import { contentsOf } from "#api/testing/contents.ts";
import {
  addAccount,
  addRegistration,
  cookiesOf,
  readAccount,
  readRegistrations,
  withoutStates,
} from "#api/testing/identity/local-accounts.ts";
import { type MockPerson, newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf } from "#api/testing/identity/test-browser.ts";
import { emailKey } from "#contract/account-rules.ts";
import {
  type ProviderName,
  providerIdFields,
  providerLabels,
  providerNames,
  type User,
} from "#contract/users.ts";

const stage = await signInStageForFile();

const failed = "/login?error=auth_failed";

/** What is known here of the address: nothing, a registration, a row that was never verified, an account. */
const locals = ["none", "registered", "unverified", "verified"] as const;
/** What the provider says of the address. */
const emails = ["verified", "verified in other case", "unverified", "absent"] as const;
/** Whose the identity is here: no one's, the address's own account's, another account's. */
const subjects = ["new", "known", "another user's"] as const;

type Case = {
  provider: ProviderName;
  local: (typeof locals)[number];
  email: (typeof emails)[number];
  subject: (typeof subjects)[number];
};
type Outcome = "impossible" | "refused" | "created" | "taken over" | "linked" | "own" | "other";

const cases: Case[] = providerNames.flatMap((provider) =>
  locals.flatMap((local) =>
    emails.flatMap((email) => subjects.map((subject) => ({ provider, local, email, subject }))),
  ),
);

const ofNewIdentity: Record<Case["local"], Outcome> = {
  none: "created",
  registered: "created",
  unverified: "taken over",
  verified: "linked",
};

/** The policy, said a second time in other words. */
const outcomeOf = ({ local, email, subject }: Case): Outcome => {
  const isProven = email === "verified" || email === "verified in other case";
  if (subject === "another user's") return "other";
  if (subject === "new") return isProven ? ofNewIdentity[local] : "refused";
  // An identity belongs to an account, and a registration is none yet.
  if (local === "none" || local === "registered") return "impossible";
  return local === "unverified" && isProven ? "taken over" : "own";
};

const titles: Record<Outcome, string> = {
  impossible: "cannot be, because no account has the identity",
  refused: "is refused and changes nothing",
  created: "makes a verified account without password, and ends the address's registrations",
  "taken over": "gives the account to the address's owner; password, sessions and known browsers are gone",
  linked: "links the identity, keeps the password, and emails a notice",
  own: "signs in to the account and leaves it as it is",
  other: "signs in to the account that has the identity and leaves the address's account as it is",
};

/** Who comes from the provider, and the accounts that were made for the case. */
type Scene = { person: MockPerson; address: string; own: string; other: string };

const arrange = async ({ provider, local, email, subject }: Case): Promise<Scene> => {
  const { host } = stage;
  const known = newMockPerson();
  const address = String(known.email);
  const identity = { [providerIdFields[provider]]: known.subject };
  const isOther = subject === "another user's";
  if (local === "registered") await addRegistration(host, address);
  const hasRow = local === "verified" || local === "unverified";
  const account = { isVerified: local === "verified", ...(subject === "known" ? identity : {}) };
  const own = hasRow ? await addAccount(host, address, account) : "";
  const other = isOther ? await addAccount(host, `other.${address}`, identity) : "";
  const sent = email === "verified in other case" ? address.toUpperCase() : address;
  const person = {
    ...known,
    email: email === "absent" ? null : sent,
    isEmailVerified: email !== "unverified",
  };
  return { person, address, own, other };
};

const mailsTo = (address: string) =>
  stage.host.mails.filter(({ to }) => emailKey(to) === emailKey(address)).map(({ subject }) => subject);

/** What must be true after a sign-in, for each of the ways that it can go. */
const checkOutcome = async (
  { provider, local }: Case,
  outcome: Outcome,
  scene: Scene & { user: User; before: Awaited<ReturnType<typeof readAccount>> | null },
) => {
  const { host } = stage;
  const { user, before, own, other, address } = scene;
  if (outcome === "created") {
    const { user: row } = await readAccount(host, user.id);
    expect(row).toMatchObject({ name: "Grace Example", passwordHash: null, emailKey: emailKey(address) });
    expect(user.emailVerified).toBe(true);
    expect(await readRegistrations(host, address)).toEqual([]);
    return;
  }
  expect(user.id).toBe(outcome === "other" ? other : own);
  if (before === null) {
    expect(await readRegistrations(host, address)).toHaveLength(local === "registered" ? 1 : 0);
    return;
  }
  const after = await readAccount(host, own);
  if (outcome === "other") expect(after).toEqual(before);
  if (outcome === "own") {
    const seen = { ...before.user, lastSeenAt: host.clock.now() };
    expect(after).toMatchObject({ user: seen, sessions: [before.sessions[0], {}] });
  }
  if (outcome === "linked") {
    const { passwordHash, emailVerifiedAt, name, email } = before.user ?? {};
    expect(after.user).toMatchObject({ passwordHash, emailVerifiedAt, name, email });
    expect(after.sessions).toHaveLength(2);
    expect(mailsTo(address)).toContain(`${providerLabels[provider]} was linked to your account`);
  }
  if (outcome === "taken over") {
    expect(user.emailVerified).toBe(true);
    expect(after.user).toMatchObject({ passwordHash: null, name: "Grace Example" });
    // Those of this very sign-in.
    expect([after.sessions.length, after.devices.length]).toEqual([1, 1]);
    const oldOwner = await host.request("/api/auth/user", {
      headers: { cookie: `sid=${cookiesOf(own).sid}` },
    });
    expect(oldOwner.status).toBe(401);
  }
};

for (const given of cases) {
  const { provider, local, email, subject } = given;
  const outcome = outcomeOf(given);
  const who = `account ${local}, email ${email}, identity ${subject}`;
  test(`O1: ${providerLabels[provider]}, ${who}: ${titles[outcome]}`, async () => {
    const { host } = stage;
    const scene = await arrange(given);
    if (outcome === "impossible") {
      const column = providerIdFields[provider];
      const rows = (await contentsOf(host.db)).filter((row) =>
        row.includes(`"${column}":"${scene.person.subject}"`),
      );
      expect(rows).toEqual([]);
      return;
    }
    const before = scene.own === "" ? null : await readAccount(host, scene.own);
    const contents = await contentsOf(host.db);
    const { browser, location } = await stage.signIn(provider, scene.person);
    const user = await browser.user();
    if (outcome === "refused" || user === null) {
      expect([outcome, location, user]).toEqual(["refused", failed, null]);
      expect(withoutStates(await contentsOf(host.db))).toEqual(withoutStates(contents));
      return;
    }
    expect(location).toBe("/dashboard");
    expect(user).toMatchObject({ role: "user", [providerIdFields[provider]]: scene.person.subject });
    await checkOutcome(given, outcome, { ...scene, user, before });
  });
}

describe.each([...providerNames])("O1: with %s", (provider) => {
  const column = providerIdFields[provider];

  test("an account that has another identity of this provider keeps it, and the new one gets nowhere", async () => {
    const person = newMockPerson();
    const own = await addAccount(stage.host, String(person.email), {
      [column]: `first of ${person.subject}`,
    });
    const before = await readAccount(stage.host, own);
    expect((await stage.signIn(provider, person)).location).toBe(failed);
    expect(await readAccount(stage.host, own)).toEqual(before);
  });

  test.each(["known", "new"])("a disabled account is not entered by a %s identity", async (subject) => {
    const person = newMockPerson();
    const identity = subject === "known" ? { [column]: person.subject } : {};
    const disabled = { ...identity, disabledAt: stage.host.clock.now() };
    const own = await addAccount(stage.host, String(person.email), disabled);
    const before = await readAccount(stage.host, own);
    const { browser, location } = await stage.signIn(provider, person);
    expect([location, await browser.user()]).toEqual([failed, null]);
    expect(await readAccount(stage.host, own)).toEqual(before);
  });
});

/** Goes to the provider as often as it is listed, then comes back in all browsers at the same time; who each of them is then. */
const comeBackAtOnce = async (providers: ProviderName[]) => {
  const ways = [];
  for (const provider of providers) {
    const browser = stage.browser();
    ways.push({ browser, path: await browser.goToProvider(`/api/auth/${provider}`) });
  }
  const answers = await Promise.all(ways.map(({ browser, path }) => browser.open(path)));
  expect(answers.map(locationOf)).toEqual(providers.map(() => "/dashboard"));
  return Promise.all(ways.map(({ browser }) => browser.user()));
};

describe.each([...providerNames])("O5: a person whom %s knows", (provider) => {
  const column = providerIdFields[provider];

  test("is the same user with another address, and the account keeps its own", async () => {
    const person = newMockPerson();
    const first = await (await stage.signIn(provider, person)).browser.user();
    const moved = newMockPerson({ subject: person.subject });
    const second = await (
      await stage.signIn(provider, { ...moved, email: `moved.${moved.email}` })
    ).browser.user();
    expect(second).toEqual(first);
    const nowhere = { ...person, email: null, isEmailVerified: false };
    expect(await (await stage.signIn(provider, nowhere)).browser.user()).toEqual(first);
  });

  test("is not someone else who has the address by now", async () => {
    const person = newMockPerson();
    const first = await (await stage.signIn(provider, person)).browser.user();
    const heir = newMockPerson({ email: person.email ?? null });
    const { browser, location } = await stage.signIn(provider, heir);
    expect([location, await browser.user()]).toEqual(["/login?error=auth_failed", null]);
    expect(first?.[column]).toBe(person.subject);
  });

  test("is one user, however many times they come for the first time simultaneously", async () => {
    const person = newMockPerson();
    stage[provider].become(person);
    const signedIn = await comeBackAtOnce(Array<ProviderName>(20).fill(provider));
    expect(new Set(signedIn.map((user) => user?.id)).size).toBe(1);
    const rows = (await stage.host.db.select(userColumns).from(users)).filter(
      (row) => row.subjects[provider] === person.subject,
    );
    expect(rows.map(({ email }) => email)).toEqual([String(person.email)]);
  });
});

test("O5: someone who comes from both providers simultaneously for the first time is one user with both identities", async () => {
  const person = newMockPerson();
  const other = newMockPerson({ email: person.email ?? null });
  stage.google.become(person);
  stage.github.become(other);
  const signedIn = await comeBackAtOnce(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? "google" : "github")),
  );
  expect(new Set(signedIn.map((user) => user?.id)).size).toBe(1);
  expect(signedIn[0]).toMatchObject({ email: String(person.email) });
  const rows = (await stage.host.db.select(userColumns).from(users)).filter(
    ({ subjects }) => subjects.google === person.subject,
  );
  expect(rows.map(({ subjects }) => subjects.github)).toEqual([other.subject]);
});

test("O5: the number of a person at one provider says nothing about the other", async () => {
  const person = newMockPerson();
  const stranger = newMockPerson({ subject: person.subject });
  const first = await (await stage.signIn("google", person)).browser.user();
  const second = await (
    await stage.signIn("github", { ...stranger, email: `x.${stranger.email}` })
  ).browser.user();
  expect(second?.id).not.toBe(String(first?.id));
});

// The five classes of Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022.

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
