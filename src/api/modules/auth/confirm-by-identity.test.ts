import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { openRules } from "#api/adapters/identity-provider/create-identity-providers.ts";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { cookiesOf } from "#api/testing/browsers.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf, type TestBrowser, visitProvider } from "#api/testing/identity/test-browser.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

const stage = await signInStageForFile({ oidc: {} });
afterEach(() => stage.acme?.change(null));

const confirmPath = "/api/account/confirm";
const freshS = limits.freshSessionMs / 1000;
const nowS = () => Math.floor(stage.host.clock.now().getTime() / 1000);
const call = ({ cookies }: TestBrowser, method: string, path: string, body?: unknown) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return stage.host.visitor().call(method, path, body, { cookie });
};
const exported = async (browser: TestBrowser) => (await browser.open("/api/account/export")).status;

/** Someone who has signed in with a provider, and whose session counts as old. */
const signedIn = async (provider = "acme", person = newMockPerson()) => {
  const { browser } = await stage.signIn(provider, person);
  expect((await call(browser, "DELETE", confirmPath)).status).toBe(200);
  expect(await exported(browser)).toBe(403);
  return { browser, person };
};

/** Sends a browser to its provider to confirm; resolves to where the provider leads. */
const go = async (browser: TestBrowser) => {
  const body = { provider: "acme", returnTo: "/admin/users?page=2" };
  const answer = await call(browser, "POST", `${confirmPath}/provider`, body);
  browser.cookies.set("oauth", /^oauth=([\w-]{43})/.exec(cookiesOf(answer).join())?.[1] ?? "");
  const { url } = (await answer.json()).data;
  expect(new URL(url).searchParams.get("max_age")).toBe("0");
  return visitProvider(stage.host, url);
};

describe("a session that is confirmed with a provider", () => {
  const rows: [title: string, ageS: number | null, isConfirmed: boolean][] = [
    ["counts as recent after a sign-in of this moment", 0, true],
    ["counts as recent after a sign-in of almost ten minutes ago", freshS - 1, true],
    ["stays as it is after a sign-in of ten minutes ago", freshS, false],
    ["stays as it is if the provider doesn't say when the sign-in was", null, false],
  ];
  test.each(rows)("%s", async (_, ageS, isConfirmed) => {
    const { browser } = await signedIn();
    const before = browser.cookies.get("sid");
    stage.acme?.change({ claims: { auth_time: ageS === null ? undefined : nowS() - ageS } });
    const location = locationOf(await browser.open(await go(browser)));
    expect(location).toBe(isConfirmed ? "/admin/users?page=2" : "/account/security?error=confirm_failed");
    expect([await exported(browser), browser.cookies.get("sid") !== before]).toEqual([
      ...[isConfirmed ? 200 : 403, isConfirmed],
    ]);
  });

  test("stays as it is for someone else's identity, also one that opens no account", async () => {
    const { browser } = await signedIn();
    const other = await signedIn();
    for (const person of [other.person, newMockPerson()]) {
      stage.acme?.become(person);
      stage.acme?.change({ claims: { auth_time: nowS() } });
      expect(locationOf(await browser.open(await go(browser)))).toBe(
        "/account/security?error=confirm_failed",
      );
    }
    expect([await exported(browser), await exported(other.browser)]).toEqual([403, 403]);
  });

  test("is no other session, and none that has ended", async () => {
    const { browser, person } = await signedIn();
    stage.acme?.change({ claims: { auth_time: nowS() } });
    stage.acme?.become(person);
    const path = await go(browser);
    const { browser: other } = await stage.signIn("acme", person);
    const sid = String(browser.cookies.get("sid"));
    browser.cookies.set("sid", String(other.cookies.get("sid")));
    expect(locationOf(await browser.open(path))).toBe("/account/security?error=confirm_failed");
    browser.cookies.set("sid", sid);
    const again = await go(browser);
    expect((await call(browser, "POST", "/api/auth/logout")).status).toBe(200);
    expect(locationOf(await browser.open(again))).toBe("/login?error=auth_failed");
  });

  test("gives the second factor, too, where the provider's counts", async () => {
    const { browser } = await signedIn();
    const acme = stage.providers.get("acme");
    if (acme === undefined) throw new Error("there is no third provider");
    stage.providers.set("acme", { ...acme, rules: { ...openRules, isFactorTrusted: true } });
    stage.acme?.change({ claims: { auth_time: nowS(), amr: ["mfa"] } });
    await browser.open(await go(browser));
    const tokenHash = hashToken(String(browser.cookies.get("sid")));
    const [row] = await stage.host.db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash));
    expect(row?.factorAt).toEqual(new Date(nowS() * 1000));
    stage.providers.set("acme", acme);
  });
});

test("a sign-in counts as recent from when it was at the provider, and from now where that says nothing", async () => {
  for (const [ageS, status] of [
    [null, 200],
    [freshS - 1, 200],
    [freshS, 403],
  ] as const) {
    stage.acme?.change({ claims: { auth_time: ageS === null ? undefined : nowS() - ageS } });
    const { browser } = await stage.signIn("acme", newMockPerson());
    expect(await exported(browser)).toBe(status);
  }
});

test("only providers with which the user can sign in now, and that can say when, are ways to confirm", async () => {
  const { browser } = await signedIn("github");
  expect(await (await browser.open("/api/account/export")).json()).toMatchObject({
    ...{ code: "REAUTHENTICATION_REQUIRED", message: accountTexts.signInAgain },
    data: { wanted: "recent", ways: [] },
  });
  const begin = async (provider: string) => {
    const answer = await call(browser, "POST", `${confirmPath}/provider`, { provider });
    return [answer.status, (await answer.json()).message];
  };
  expect(await begin("github")).toEqual([409, accountTexts.providerCannotConfirm("GitHub")]);
  expect(await begin("acme")).toEqual([409, accountTexts.notLinked("Acme")]);
  expect((await begin("nowhere"))[0]).toBe(404);
  const { browser: withAcme } = await signedIn();
  const waysOf = async () => (await (await withAcme.open("/api/account/export")).json()).data.ways;
  expect(await waysOf()).toEqual(["acme"]);
  const acme = stage.providers.get("acme");
  if (acme === undefined) throw new Error("there is no third provider");
  stage.providers.set("acme", { ...acme, issuer: "https://moved.example" });
  const body = { provider: "acme" };
  expect([await waysOf(), (await call(withAcme, "POST", `${confirmPath}/provider`, body)).status]).toEqual([
    ...[[], 409],
  ]);
  stage.providers.set("acme", acme);
});
