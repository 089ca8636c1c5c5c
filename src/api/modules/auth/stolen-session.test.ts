import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { identities, users } from "#api/db/schema.ts";
import { cookiesOf, withCookieOf } from "#api/testing/browsers.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { readAccount, withoutStates } from "#api/testing/identity/local-accounts.ts";
import { type MockPerson, newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf, type TestBrowser, visitProvider } from "#api/testing/identity/test-browser.ts";
import { tokenIn } from "#api/testing/people.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { limits } from "#contract/limits.ts";
import {
  type ProviderName,
  providerIdFields,
  providerLabels,
  providerNames,
  type User,
} from "#contract/users.ts";

const stage = await signInStageForFile();

const failedLink = "/account/security?error=link_failed";
const failedSignIn = "/login?error=auth_failed";

const askToLink = (client: TestClient, provider: ProviderName, body: { password?: string }) =>
  stage.host.visitor().call("POST", `/api/account/connections/${provider}`, body, {
    cookie: String(client.cookie),
  });

/** A signed-in person's browser, on the way back from a provider that was asked to be linked. */
type Way = { client: TestClient; user: User; browser: TestBrowser; path: string };

const sessionOf = ({ cookie }: TestClient) => String(cookie).replace("sid=", "");

/** Sends a person's browser to a provider, and stops before it opens what the provider sends it back with. */
const goLinking = async (provider: ProviderName, identity: MockPerson, person?: TestClient): Promise<Way> => {
  const client = person ?? (await stage.host.signedIn("user"));
  if (client.user === null) throw new Error("no one is signed in");
  const answer = await askToLink(client, provider, { password: testPassword });
  const browser = stage.browser();
  browser.cookies.set("sid", sessionOf(client));
  browser.cookies.set("oauth", /^oauth=([\w-]{43})/.exec(cookiesOf(answer).join())?.[1] ?? "");
  stage[provider].become(identity);
  const path = await visitProvider(stage.host, (await answer.json()).data.url);
  return { client, user: client.user, browser, path };
};

/** The owner asks for a new password; resolves to what uses the emailed link up. */
const askForReset = async (email: string) => {
  // One email a minute goes to an address.
  stage.host.clock.advance(limits.mailCooldownMs);
  await stage.host.visitor().call("POST", "/api/auth/forgot-password", { email });
  const token = tokenIn(stage.host.mails.findLast(({ to }) => to === email));
  return async () => {
    const body = { password: "the-owners-next-words" };
    const answer = await stage.host.visitor().call("POST", `/api/auth/reset-password/${token}`, body);
    expect(answer.status).toBe(200);
  };
};

const signOut = (client: TestClient) => async () => {
  expect((await client.call("POST", "/api/auth/logout")).status).toBe(200);
};

/** Lets something happen once a provider has told who someone is, and before the answer is used. */
const meanwhile = async <T>(provider: ProviderName, event: () => Promise<void>, work: () => Promise<T>) => {
  const { providers } = stage;
  const real = providers.get(provider);
  if (real === undefined) throw new Error("the provider is not configured");
  const identify: typeof real.identify = async (answer, challenge) => {
    const profile = await real.identify(answer, challenge);
    await event();
    return profile;
  };
  providers.set(provider, { ...real, identify });
  try {
    return await work();
  } finally {
    providers.set(provider, real);
  }
};

const subjectAt = async (provider: ProviderName, id: string) =>
  (await readAccount(stage.host, id)).user?.[providerIdFields[provider]] ?? null;

describe.each([...providerNames])("O6: a stolen session that is to be linked to %s", (provider) => {
  test.each([
    ["no password", {}],
    ["a wrong password", { password: "a-guess-of-the-thief" }],
  ])("leads nowhere with %s, and no account is changed", async (_title, body) => {
    const client = await stage.host.signedIn("user");
    const rows = async () =>
      (await contentsOf(stage.host.db)).filter((row) => !row.startsWith("signInFailures "));
    const before = await rows();
    expect(await readRefusal(await askToLink(client, provider, body), ["thief"])).toMatchObject({
      status: 422,
      errors: [{ path: "password" }],
      setsCookie: false,
    });
    expect(await rows()).toEqual(before);
  });

  const ends = {
    "a new password": ({ email }: { email: string }, _client: TestClient) => askForReset(email),
    "a sign-out": async (_user: { email: string }, client: TestClient) => signOut(client),
  };
  describe.each(Object.entries(ends))("and is ended by %s", (_what, prepare) => {
    test("before the provider sends back: it is not linked", async () => {
      const thief = newMockPerson();
      const { client, user, browser, path } = await goLinking(provider, thief);
      await (await prepare(user, client))();
      const before = await contentsOf(stage.host.db);
      expect(locationOf(await browser.open(path))).toBe(failedSignIn);
      expect(await contentsOf(stage.host.db)).toEqual(before);
      expect((await (await stage.signIn(provider, thief)).browser.user())?.id).not.toBe(user.id);
    });

    test("while the provider is asked: it is not linked", async () => {
      const thief = newMockPerson();
      const { client, user, browser, path } = await goLinking(provider, thief);
      const end = await prepare(user, client);
      let before: string[] = [];
      const event = async () => {
        await end();
        before = withoutStates(await contentsOf(stage.host.db));
      };
      const answer = await meanwhile(provider, event, () => browser.open(path));
      expect(locationOf(answer)).toBe(failedLink);
      expect(withoutStates(await contentsOf(stage.host.db))).toEqual(before);
      expect((await (await stage.signIn(provider, thief)).browser.user())?.id).not.toBe(user.id);
    });
  });

  test("at the moment of a new password, ten times, is refused, or removed and named in the email about the password", async () => {
    for (let round = 0; round < 10; round += 1) {
      const thief = newMockPerson();
      const { user, browser, path } = await goLinking(provider, thief);
      const reset = await askForReset(user.email);
      const [answer] = await Promise.all([browser.open(path), reset()]);
      const isLinked = locationOf(answer) === `/account/security?linked=${provider}`;
      if (!isLinked) expect([failedLink, failedSignIn]).toContain(locationOf(answer));
      expect(await subjectAt(provider, user.id)).toBeNull();
      const isChange = ({ to, subject }: { to: string; subject: string }) =>
        to === user.email && subject === "Your password was changed";
      const mail = stage.host.mails.findLast(isChange);
      expect(mail?.text.includes(`${providerLabels[provider]} can still be used to sign in.`)).toBe(false);
      expect(mail?.text.includes(`Removed: ${providerLabels[provider]} (`)).toBe(isLinked);
    }
  });
});

const contents = async () => withoutStates(await contentsOf(stage.host.db));

describe.each([...providerNames])("linking %s to the account that is signed in", (provider) => {
  const column = providerIdFields[provider];
  const linked = `/account/security?linked=${provider}`;
  const notices = (user: User) =>
    stage.host.mails.filter(
      ({ to, subject }) =>
        to === user.email && subject === `${providerLabels[provider]} was linked to your account`,
    ).length;

  test.each([
    ["the same address", (user: User) => ({ email: user.email })],
    ["another address", () => ({})],
    ["an unverified address", () => ({ isEmailVerified: false })],
    ["no address", () => ({ email: null })],
  ])("works with %s, counts immediately, emails a notice and keeps the session", async (_, more) => {
    const client = await stage.host.signedIn("user");
    if (client.user === null) throw new Error("no one is signed in");
    const identity = newMockPerson(more(client.user));
    const { browser, path, user } = await goLinking(provider, identity, client);
    expect(locationOf(await browser.open(path))).toBe(linked);
    expect(await browser.user()).toEqual({ ...user, [column]: identity.subject });
    expect(browser.cookies.get("sid")).toBe(sessionOf(client));
    expect(notices(user)).toBe(1);
    const again = await stage.signIn(provider, { ...identity, email: null });
    expect((await again.browser.user())?.id).toBe(user.id);
  });

  test("a second time changes nothing and emails nothing", async () => {
    const client = await stage.host.signedIn("user");
    const identity = newMockPerson();
    const first = await goLinking(provider, identity, client);
    const second = await goLinking(provider, identity, client);
    await first.browser.open(first.path);
    const before = await contents();
    expect(locationOf(await second.browser.open(second.path))).toBe(linked);
    expect(await contents()).toEqual(before);
    expect(notices(first.user)).toBe(1);
  });

  const refusals: { what: string; spoil: (way: Way, identity: MockPerson) => Promise<void>; to: string }[] = [
    {
      what: "an identity that is another account's",
      spoil: async (_, identity) => void (await stage.signIn(provider, identity)),
      to: failedLink,
    },
    {
      what: "an account that has another identity of this provider",
      spoil: async ({ user }) =>
        void (await addIdentity(stage.host.db, { userId: user.id, provider, subject: user.id })),
      to: failedLink,
    },
    {
      what: "another user who is signed in by now",
      spoil: async ({ browser }) =>
        void browser.cookies.set("sid", sessionOf(await stage.host.signedIn("admin"))),
      to: failedLink,
    },
    {
      what: "no one signed in any more",
      spoil: async ({ browser }) => void browser.cookies.delete("sid"),
      to: failedSignIn,
    },
    {
      what: "a later session of the same user",
      spoil: async ({ browser, user }) => {
        const body = { email: user.email, password: testPassword };
        const answer = await stage.host.visitor().call("POST", "/api/auth/login", body);
        browser.cookies.set("sid", sessionOf(withCookieOf(stage.host.visitor(), answer)));
      },
      to: failedLink,
    },
    {
      what: "an account that was disabled meanwhile",
      spoil: async ({ user }) => {
        const disabledAt = new Date();
        await stage.host.db.update(users).set({ disabledAt }).where(eq(users.id, user.id));
        stage.host.services.events.publish({ type: "user-changed", userId: user.id });
      },
      to: failedSignIn,
    },
    {
      what: "another browser's cookie",
      spoil: async ({ browser }) => void browser.cookies.set("oauth", "A".repeat(43)),
      to: failedLink,
    },
    {
      what: "no cookie of it",
      spoil: async ({ browser }) => void browser.cookies.delete("oauth"),
      to: failedLink,
    },
  ];
  test.each(refusals)("is refused with $what, and changes nothing", async ({ spoil, to }) => {
    const identity = newMockPerson();
    const way = await goLinking(provider, identity);
    await spoil(way, identity);
    const before = await contents();
    expect(locationOf(await way.browser.open(way.path))).toBe(to);
    expect(await contents()).toEqual(before);
  });

  test("that the person cancels leads back to the account", async () => {
    stage[provider].cancel(true);
    const { browser, path } = await goLinking(provider, newMockPerson());
    stage[provider].cancel(false);
    const before = await contents();
    expect(locationOf(await browser.open(path))).toBe(failedLink);
    expect(await contents()).toEqual(before);
  });

  test("of an identity that several ask for at the same time gives it to one of them", async () => {
    const identity = newMockPerson();
    const ways = [];
    for (let number = 0; number < 8; number += 1) ways.push(await goLinking(provider, identity));
    const answers = await Promise.all(ways.map(({ browser, path }) => browser.open(path)));
    expect(answers.map(locationOf).sort()).toEqual([...Array(7).fill(failedLink), linked]);
    const rows = await stage.host.db
      .select()
      .from(identities)
      .where(eq(identities.subject, identity.subject));
    expect(rows).toHaveLength(1);
  });
});
