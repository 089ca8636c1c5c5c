import { afterEach, describe, expect, test } from "bun:test";
import { decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import { AppError } from "#api/core/app-error.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { withoutStates } from "#api/testing/identity/local-accounts.ts";
import { newMockPerson, tokenFaults } from "#api/testing/identity/mock-person.ts";
import {
  openSignInStage,
  type SignInStage,
  signInStageForFile,
} from "#api/testing/identity/sign-in-stage.ts";
import { locationOf } from "#api/testing/identity/test-browser.ts";
import { providerNames } from "#contract/users.ts";

const { privateKey: strangersKey } = await generateKeyPair("RS256");
const stage = await signInStageForFile({ limitMs: 500 });
await Promise.all([stage.browser().open("/api/auth/google"), import("oauth4webapi"), import("jose")]);
afterEach(() => {
  stage.host.logs.length = 0;
  for (const provider of [stage.google, stage.github]) {
    provider.fail(null);
    provider.cancel(false);
  }
  stage.google.change(null);
  stage.github.answer(null);
});

const failed = "/login?error=auth_failed";

/** Signs someone new in, and expects that it leads back to the sign-in page and leaves no one behind. */
const expectFailure = async (provider: "google" | "github", person = newMockPerson()): Promise<string> => {
  const before = withoutStates(await contentsOf(stage.host.db));
  const { browser, location } = await stage.signIn(provider, person);
  expect([location, await browser.user()]).toEqual([failed, null]);
  expect(withoutStates(await contentsOf(stage.host.db))).toEqual(before);
  const lines = stage.host.logs.filter(({ message }) => message === "social sign-in failed");
  expect(lines).toHaveLength(1);
  expect(lines[0]?.level).toBe("warn");
  return String(lines[0]?.fields?.reason);
};

describe.each([...providerNames])("O4: when %s", (provider) => {
  test.each([...tokenFaults])(
    "answers the token call with %s, sign-in fails and creates no account",
    async (fault) => {
      stage[provider].fail(fault);
      const reason = await expectFailure(provider);
      expect(reason).not.toBe("unexpected");
      expect(reason).not.toMatch(/^unforeseen/);
      stage[provider].fail(null);
      expect((await stage.signIn(provider, newMockPerson())).location).toBe("/dashboard");
    },
  );

  test("says that the person said no, sign-in fails and the log says so", async () => {
    stage[provider].cancel(true);
    expect(await expectFailure(provider)).toBe("the user declined");
  });

  test("names no address, or one that it does not vouch for, sign-in fails and creates no account", async () => {
    expect(await expectFailure(provider, newMockPerson({ email: null }))).toBe(
      "the provider gives no email address",
    );
    stage.host.logs.length = 0;
    expect(await expectFailure(provider, newMockPerson({ isEmailVerified: false }))).toBe(
      "the provider has not verified the email address",
    );
  });

  test.each([
    "eve",
    "eve@localhost",
    "a@b.example, eve@b.example",
    `${"e".repeat(300)}@b.example`,
    "e\u202e@b.example",
  ])("names the address %j, sign-in fails and creates no account", async (email) => {
    const reason = await expectFailure(provider, newMockPerson({ email }));
    expect(reason).toBe("the email address is not valid for an account");
  });

  test("sends back an error of its own, its text is not repeated in the log", async () => {
    const browser = stage.browser();
    const back = await browser.goToProvider(`/api/auth/${provider}`);
    const path = `${back.replace(/code=[^&]*/, "error=secret-canary")}&error_description=secret-canary`;
    expect(locationOf(await browser.open(path))).toBe(failed);
    expect(JSON.stringify(stage.host.logs)).not.toContain("secret-canary");
  });
});

const inSeconds = (fromNowS: number) => Math.floor(Date.now() / 1000) + fromNowS;
const partsOf = (token: string) => token.split(".");
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claimsOf = (token: string) => JSON.parse(Buffer.from(partsOf(token)[1] ?? "", "base64url").toString());

const signedWithSecret = (token: string): string => {
  const content = `${encoded({ alg: "HS256" })}.${partsOf(token)[1]}`;
  const hash = new Bun.CryptoHasher("sha256", stage.google.client.clientSecret).update(content);
  return `${content}.${hash.digest("base64url")}`;
};

const signedByStranger = async (token: string): Promise<string> => {
  const { kid = "" } = decodeProtectedHeader(token);
  return new SignJWT(claimsOf(token)).setProtectedHeader({ alg: "RS256", kid }).sign(strangersKey);
};

const changedAfterSigning = (token: string): string => {
  const [head, , signature] = partsOf(token);
  return [head, encoded({ ...claimsOf(token), email: "victim@example.test" }), signature].join(".");
};

describe("O4: an id token", () => {
  const badClaims: [string, Record<string, unknown>][] = [
    ["of another issuer", { iss: "https://evil.example" }],
    ["without issuer", { iss: null }],
    ["for another client", { aud: "another-client" }],
    ["without audience", { aud: null }],
    ["handed on by another client", { azp: "another-client" }],
    ["for two clients that does not say who asked", { aud: ["atrium-at-google", "another-client"] }],
    [
      "for two clients that another one asked for",
      { aud: ["atrium-at-google", "another-client"], azp: "another-client" },
    ],
    ["made six minutes from now", { iat: inSeconds(6 * 60) }],
    ["made more than a day ago", { iat: inSeconds(-24 * 60 * 60 - 60) }],
    ["that does not say when it was made", { iat: null }],
    ["of another sign-in", { nonce: "A".repeat(43) }],
    ["without nonce", { nonce: null }],
    ["that has expired", { exp: inSeconds(-3_600) }],
    ["without end", { exp: null }],
    ["that is not valid yet", { nbf: inSeconds(3_600) }],
    ["without a subject", { sub: null }],
    ["about an empty subject", { sub: "" }],
    ["about a subject that is no text", { sub: 7 }],
    ["about an overlong subject", { sub: "s".repeat(256) }],
    ["whose word for a verified address is a text", { email_verified: "true" }],
  ];
  test.each(badClaims)("%s is refused", async (_, claims) => {
    stage.google.change({ claims });
    expect(await expectFailure("google")).not.toMatch(/^unforeseen|^unexpected/);
  });

  const forgeries: [string, (token: string) => string | Promise<string>][] = [
    ["without signature", (token) => `${encoded({ alg: "none" })}.${partsOf(token)[1]}.`],
    ["signed with the client's secret", signedWithSecret],
    ["signed by a stranger under the issuer's key id", signedByStranger],
    ["changed after it was signed", changedAfterSigning],
    ["that is none", () => "not.a.token"],
    ["that is empty", () => ""],
  ];
  test.each(forgeries)("%s is refused", async (_, forge) => {
    stage.google.change({ forge });
    expect(await expectFailure("google")).toMatch(/^the (?:token|provider's response) is not acceptable/);
  });

  test("of a key that the issuer began to use since is accepted", async () => {
    expect((await stage.signIn("google", newMockPerson())).location).toBe("/dashboard");
    await stage.google.addKey();
    // The issuer takes turns with its keys.
    for (let round = 0; round < 2; round += 1) {
      expect((await stage.signIn("google", newMockPerson())).location).toBe("/dashboard");
    }
  });
});

describe("O4: an answer that names its issuer", () => {
  const comeBackFrom = async (issuer: string | null) => {
    stage.google.become(newMockPerson());
    const browser = stage.browser();
    const back = new URL(await browser.goToProvider("/api/auth/google"), "http://any.example");
    if (issuer === null) back.searchParams.delete("iss");
    else back.searchParams.set("iss", issuer);
    const location = locationOf(await browser.open(back.pathname + back.search));
    return [location, reasonIn(stage)];
  };
  const reasonIn = ({ host }: SignInStage) =>
    host.logs.findLast(({ message }) => message === "social sign-in failed")?.fields?.reason;

  test("is refused if that is another one, and so is one that doesn't where the issuer always does", async () => {
    const refused = [failed, "the provider's response is not acceptable: OAUTH_INVALID_RESPONSE"];
    expect(await comeBackFrom("https://evil.example")).toEqual(refused);
    expect((await comeBackFrom(null))[0]).toBe("/dashboard");
    // The clock by which its configuration is remembered is the real one.
    const strict = await openSignInStage();
    strict.google.describe({ authorization_response_iss_parameter_supported: true });
    const browser = strict.browser();
    const back = await browser.goToProvider("/api/auth/google");
    expect(locationOf(await browser.open(back.replace(/&iss=[^&]*/, "")))).toBe(failed);
    expect(reasonIn(strict)).toBe(refused[1]);
    await strict.close();
  });
});

describe("O4: when GitHub's API", () => {
  const answers: [string, { user?: unknown; emails?: unknown }][] = [
    ["names no user", { user: {} }],
    ["gives a text for the number of the person", { user: { id: "7" } }],
    ["gives a number that is none", { user: { id: 1.5 } }],
    ["gives zero", { user: { id: 0 } }],
    ["answers a list for the person", { user: [] }],
    ["answers an object for the addresses", { emails: { message: "no" } }],
    ["answers no addresses", { emails: [] }],
    ["answers nonsense for the addresses", { emails: [null, 7, "x"] }],
    ["has no primary address", { emails: [{ email: "eve@example.test", primary: false, verified: true }] }],
    [
      "has an unverified primary one",
      { emails: [{ email: "eve@example.test", primary: true, verified: "yes" }] },
    ],
  ];
  test.each(answers)("%s, sign-in fails and creates no account", async (_, answer) => {
    stage.github.answer(answer);
    expect(await expectFailure("github")).not.toMatch(/^unforeseen|^unexpected/);
  });
});

describe("O4: while this installation", () => {
  test.each([...providerNames])(
    "cannot write, coming back from %s leads to the sign-in page",
    async (provider) => {
      const browser = stage.browser();
      const back = await browser.goToProvider(`/api/auth/${provider}`);
      const before = await contentsOf(stage.host.db);
      stage.host.obstruct(new AppError("STORAGE_FULL"));
      try {
        expect(locationOf(await browser.open(back))).toBe(failed);
      } finally {
        stage.host.obstruct(null);
      }
      expect(await contentsOf(stage.host.db)).toEqual(before);
    },
  );
});
