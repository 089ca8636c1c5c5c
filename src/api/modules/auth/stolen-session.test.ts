import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cookiesOf } from "#api/testing/browsers.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { readAccount, withoutStates } from "#api/testing/identity/local-accounts.ts";
import { type MockPerson, newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf, visitProvider } from "#api/testing/identity/test-browser.ts";
import { tokenIn } from "#api/testing/people.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { limits } from "#contract/limits.ts";
import { type ProviderName, providerIdFields, providerLabels, providerNames } from "#contract/users.ts";

setDefaultTimeout(60_000);

const stage = await signInStageForFile();

const failedLink = "/account/security?error=link_failed";
const failedSignIn = "/login?error=auth_failed";

const askToLink = (client: TestClient, provider: ProviderName, body: { password?: string }) =>
  stage.host.visitor().call("POST", `/api/account/connections/${provider}`, body, {
    cookie: String(client.cookie),
  });

/** Someone's session in a browser that was sent to a provider, and what the provider sends it back with. */
const goLinking = async (provider: ProviderName, identity: MockPerson) => {
  const client = await stage.host.signedIn("user");
  if (client.user === null) throw new Error("no one is signed in");
  const answer = await askToLink(client, provider, { password: testPassword });
  const browser = stage.browser();
  browser.cookies.set("sid", String(client.cookie).replace("sid=", ""));
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
