import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPair, SignJWT } from "jose";
import { enableFactor } from "#api/testing/authenticator.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { withoutStates } from "#api/testing/identity/local-accounts.ts";
import type { MockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { openSignInStage, type SignInStage } from "#api/testing/identity/sign-in-stage.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { limits } from "#contract/limits.ts";

let stage: SignInStage;
let acme: MockOpenId;
beforeAll(async () => {
  stage = await openSignInStage({ oidc: {} });
  if (stage.acme === null) throw new Error("there is no third provider");
  acme = stage.acme;
});
// Invalid tokens are counted by minute.
beforeEach(() => stage.host.clock.advance(limits.badLogoutTokensMs));
afterAll(() => stage.close());

const send = (token: string | null, { provider = "acme", type = "application/x-www-form-urlencoded" } = {}) =>
  stage.host.request(`/api/auth/${provider}/backchannel-logout`, {
    method: "POST",
    headers: { "content-type": type },
    body: token === null ? "" : new URLSearchParams({ logout_token: token }).toString(),
  });

const person = newMockPerson();
const signIn = async (sid?: string, who = person) => {
  acme.change({ claims: { sid } });
  const { browser } = await stage.signIn("acme", who);
  acme.change(null);
  return browser;
};
const inS = (fromNowS: number) => Math.floor(Date.now() / 1000) + fromNowS;

describe("a sign-out token", () => {
  test("ends the sessions of the provider's session that it names, immediately, and no others", async () => {
    const [here, there, other] = [
      await signIn("s1"),
      await signIn("s2"),
      await signIn("s1", newMockPerson()),
    ];
    const answer = await send(await acme.signLogout({ sid: "s1", sub: person.subject }));
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([
      200,
      expect.stringContaining("no-store"),
    ]);
    expect([await here.user(), (await there.user())?.email, (await other.user()) === null]).toEqual([
      null,
      person.email,
      false,
    ]);
  });

  test("of a user ends all sessions that began there, and none that began elsewhere", async () => {
    const [one, two] = [await signIn("s3"), await signIn()];
    // The address is verified on both sides, so it is one account.
    const { browser: elsewhere } = await stage.signIn("google", { ...person, subject: "77" });
    expect((await send(await acme.signLogout({ sub: person.subject }))).status).toBe(200);
    expect([await one.user(), await two.user(), (await elsewhere.user())?.email]).toEqual([
      null,
      null,
      person.email,
    ]);
  });

  test("with a session that is named only there ends the user's sessions that came without a name", async () => {
    const [unnamed, named] = [await signIn(), await signIn("s8")];
    expect((await send(await acme.signLogout({ sub: person.subject, sid: "s7" }))).status).toBe(200);
    expect([await unnamed.user(), (await named.user())?.email]).toEqual([null, person.email]);
  });

  test.each(["sid", "sub"])("ends a sign-in between its two steps, by %s, and no later one", async (by) => {
    const who = newMockPerson();
    const { host } = stage;
    const first = await signIn("s9", who);
    const cookieOf = ({ cookies }: typeof first) =>
      [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const visitor = host.visitor();
    const { recoveryCodes } = await enableFactor(host, {
      ...visitor,
      call: (method, path, body) => visitor.call(method, path, body, { cookie: cookieOf(first) }),
    });
    const finish = (browser: typeof first, recoveryCode: string | undefined) =>
      host.visitor().call("POST", "/api/auth/login/factor", { recoveryCode }, { cookie: cookieOf(browser) });
    const halfway = await signIn("s9", who);
    const claims = by === "sid" ? { sid: "s9" } : { sub: who.subject };
    expect((await send(await acme.signLogout(claims))).status).toBe(200);
    host.clock.advance(1);
    expect((await finish(halfway, recoveryCodes[0])).status).toBe(401);
    expect((await finish(await signIn("s10", who), recoveryCodes[1])).status).toBe(200);
  });

  test("counts once", async () => {
    const token = await acme.signLogout({ sub: person.subject });
    expect((await send(token)).status).toBe(200);
    const browser = await signIn();
    expect(await readRefusal(await send(token))).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    expect((await browser.user())?.email).toBe(String(person.email));
  });

  const strangers = async (claims: object) => {
    const { privateKey } = await generateKeyPair("RS256");
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    return new SignJWT({ sub: person.subject, events, ...claims })
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(acme.url)
      .setAudience(acme.client.clientId)
      .setJti("1")
      .setIssuedAt()
      .sign(privateKey);
  };
  const bad: [string, () => Promise<string>][] = [
    ["signed by a stranger", () => strangers({})],
    ["that is none", async () => "not.a.token"],
    ["of another issuer", () => acme.signLogout({ sub: person.subject, iss: "https://evil.example" })],
    ["for another client", () => acme.signLogout({ sub: person.subject, aud: "another-client" })],
    ["older than two minutes", () => acme.signLogout({ sub: person.subject, iat: inS(-125) })],
    ["from the future", () => acme.signLogout({ sub: person.subject, iat: inS(90) })],
    ["that has expired", () => acme.signLogout({ sub: person.subject, exp: inS(-90) })],
    ["that is an id token", () => acme.signLogout({ sub: person.subject, nonce: "n" })],
    ["of another event", () => acme.signLogout({ sub: person.subject, events: { other: {} } })],
    ["without an event", () => acme.signLogout({ sub: person.subject, events: undefined })],
    [
      "of an event that is nothing",
      () =>
        acme.signLogout({
          sub: person.subject,
          events: { "http://schemas.openid.net/event/backchannel-logout": null },
        }),
    ],
    ["without an id", () => acme.signLogout({ sub: person.subject, jti: undefined })],
    ["about no one", () => acme.signLogout({})],
    ["about a session that is no text", () => acme.signLogout({ sid: 7 })],
  ];
  test.each(bad)("%s is refused and ends nothing", async (_, make) => {
    const browser = await signIn("s4");
    const before = await contentsOf(stage.host.db);
    const refused = await readRefusal(await send(await make()));
    expect(refused).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    expect(await contentsOf(stage.host.db)).toEqual(before);
    expect((await browser.user())?.email).toBe(String(person.email));
  });
});

test("a session that was confirmed meanwhile still ends with the provider's", async () => {
  const browser = await signIn("s5");
  await stage.host.db.execute("update sessions set confirmed_at = now() - interval '1 hour'");
  expect((await send(await acme.signLogout({ sid: "s5" }))).status).toBe(200);
  expect(await browser.user()).toBeNull();
});

test("sign-out tokens with keys that no one knows make the issuer's be fetched once in ten seconds", async () => {
  await signIn();
  const before = acme.asked["/jwks"] ?? 0;
  const { privateKey } = await generateKeyPair("RS256");
  for (const kid of ["a", "b"]) {
    const forged = new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).setIssuer(acme.url);
    expect((await send(await forged.sign(privateKey))).status).toBe(400);
  }
  expect((acme.asked["/jwks"] ?? 0) - before).toBeLessThanOrEqual(1);
});

test("an issuer whose keys can't be read ends nothing, and its token counts later", async () => {
  const lonely = await openSignInStage({ oidc: {} });
  const issuer = lonely.acme;
  if (issuer === null) throw new Error("there is no third provider");
  issuer.describe({ jwks_uri: "http://127.0.0.1:9/jwks" });
  const token = await issuer.signLogout({ sub: "1" });
  const body = new URLSearchParams({ logout_token: token });
  const answer = await lonely.host.request("/api/auth/acme/backchannel-logout", { method: "POST", body });
  expect(await readRefusal(answer)).toMatchObject({ status: 502, code: "PROVIDER_UNAVAILABLE" });
  expect((await contentsOf(lonely.host.db)).filter((row) => row.startsWith("usedOauthStates "))).toEqual([]);
  await lonely.close();
});

describe("what is no sign-out token", () => {
  test.each([
    ["JSON", { type: "application/json" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["for an unknown provider", { provider: "corp" }, 404, "NOT_FOUND"],
    ["for a provider that sends none", { provider: "github" }, 404, "NOT_FOUND"],
  ])("%s is refused", async (_, request, status, code) => {
    expect(await readRefusal(await send("a", request))).toMatchObject({ status, code });
  });

  test("a form without it is refused", async () => {
    expect((await send(null)).status).toBe(422);
  });

  test("is refused with another status after twenty in a minute, while a sign-out token still counts", async () => {
    const browser = await signIn("s6");
    for (let count = 0; count < limits.badLogoutTokens; count += 1)
      expect((await send("a")).status).toBe(400);
    expect(await readRefusal(await send("a"))).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    const answer = await send(await acme.signLogout({ sid: "s6" }));
    expect([answer.status, await browser.user()]).toEqual([200, null]);
    expect(withoutStates(await contentsOf(stage.host.db)).join()).not.toContain("s6");
  });
});
