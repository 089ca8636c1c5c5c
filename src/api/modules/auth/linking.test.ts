import { describe, expect, setDefaultTimeout, test } from "bun:test";
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
import { emailKey } from "#contract/account-rules.ts";
import {
  type ProviderName,
  providerIdFields,
  providerLabels,
  providerNames,
  type User,
} from "#contract/users.ts";

setDefaultTimeout(60_000);

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
