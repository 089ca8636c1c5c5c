import { afterEach, describe, expect, test } from "bun:test";
import { hashToken } from "#api/core/ids.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { withoutStates } from "#api/testing/identity/local-accounts.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf, type TestBrowser } from "#api/testing/identity/test-browser.ts";
import { limits } from "#contract/limits.ts";
import { type ProviderName, providerNames } from "#contract/users.ts";

const stage = await signInStageForFile();
afterEach(() => {
  stage.host.logs.length = 0;
});

const failed = "/login?error=auth_failed";
const other: Record<ProviderName, ProviderName> = { google: "github", github: "google" };

/** A new person's way to a provider and back to the door: the path that has not been opened yet. */
const comeBack = async (provider: ProviderName, browser: TestBrowser = stage.browser()) => {
  stage[provider].become(newMockPerson());
  return { browser, path: await browser.goToProvider(`/api/auth/${provider}`) };
};

/** The path with its state replaced. */
const withState = (path: string, change: (state: string) => string): string => {
  const url = new URL(path, "http://any.example");
  url.searchParams.set("state", change(String(url.searchParams.get("state"))));
  return url.pathname + url.search;
};

const flipped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;

/** The logged reasons for refusals. */
const reasons = () =>
  stage.host.logs
    .filter(({ message }) => message === "social sign-in failed")
    .map(({ fields }) => fields?.reason);

type Way = Awaited<ReturnType<typeof comeBack>>;

/** What may be wrong with what comes back, what is opened then, and what the log says of it. */
const wrongs: {
  what: string;
  open: (provider: ProviderName, way: Way) => Promise<Response>;
  reason: string;
}[] = [
  {
    what: "no state",
    open: (_, { browser, path }) => browser.open(path.replace(/state=[^&]*/, "")),
    reason: "the state was not issued by this server",
  },
  {
    what: "an empty state",
    open: (_, { browser, path }) => browser.open(withState(path, () => "")),
    reason: "the state was not issued by this server",
  },
  {
    what: "a forged state",
    open: (_, { browser, path }) => browser.open(withState(path, () => "A".repeat(400))),
    reason: "the state was not issued by this server",
  },
  {
    what: "a state that is cut short",
    open: (_, { browser, path }) => browser.open(withState(path, (state) => state.slice(0, -4))),
    reason: "the state was not issued by this server",
  },
  ...[0, 3, 20, 200, -2].map((at) => ({
    what: `a state that was changed at ${at}`,
    open: (_: ProviderName, { browser, path }: Way) =>
      browser.open(withState(path, (state) => flipped(state, at < 0 ? state.length + at : at))),
    reason: "the state was not issued by this server",
  })),
  {
    what: "another spelling of the same state",
    open: (_, { browser, path }) => browser.open(withState(path, (state) => `${state}=`)),
    reason: "the state was not issued by this server",
  },
  {
    what: "a state of the other provider",
    open: (provider, { browser, path }) =>
      browser.open(path.replace(`/${provider}/`, `/${other[provider]}/`)),
    reason: "the state was not issued by this server",
  },
  {
    what: "a state of another browser",
    open: async (provider, { path }) => {
      const stranger = stage.browser();
      await stranger.open(`/api/auth/${provider}`);
      return stranger.open(path);
    },
    reason: "the state belongs to another browser",
  },
  {
    what: "a browser without cookie",
    open: (_, { path }) => stage.browser().open(path),
    reason: "the browser has no cookie for this sign-in",
  },
  {
    what: "a state that has expired",
    open: (_, { browser, path }) => {
      stage.host.clock.advance(limits.oauthStateMs);
      return browser.open(path);
    },
    reason: "the state has expired",
  },
  {
    what: "a state of a former issuer",
    open: async (name, { browser, path }) => {
      const provider = stage.providers.get(name);
      if (provider === undefined) throw new Error(`${name} is not offered`);
      stage.providers.set(name, { ...provider, issuer: "https://moved.example" });
      const response = await browser.open(path);
      stage.providers.set(name, provider);
      return response;
    },
    reason: "the provider has another issuer by now",
  },
];

describe.each([...providerNames])("O2: coming back from %s", (provider) => {
  test.each(wrongs)(
    "with $what is refused, logged without it, and changes nothing",
    async ({ open, reason }) => {
      const way = await comeBack(provider);
      const before = await contentsOf(stage.host.db);
      const asked = stage[provider].exchanges;
      const response = await open(provider, way);
      expect(locationOf(response)).toBe(failed);
      expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^oauth=; .*Max-Age=0/)]);
      expect(await contentsOf(stage.host.db)).toEqual(before);
      expect(stage[provider].exchanges).toBe(asked);
      expect(reasons()).toEqual([reason]);
      const said = JSON.stringify(stage.host.logs);
      const { searchParams } = new URL(way.path, "http://any.example");
      for (const secret of [searchParams.get("state"), searchParams.get("code")]) {
        expect(said).not.toContain(String(secret));
      }
      const line = stage.host.logs.find(({ message }) => message === "social sign-in failed");
      expect(line?.fields?.requestId).toBe(response.headers.get("x-request-id"));
    },
  );

  test("works until the last moment, once, and leaves no cookie of it behind", async () => {
    const { browser, path } = await comeBack(provider);
    const cookie = browser.cookies.get("oauth");
    stage.host.clock.advance(limits.oauthStateMs - 1);
    expect(locationOf(await browser.open(path))).toBe("/dashboard");
    expect([...browser.cookies.keys()].sort()).toEqual(["device", "sid"]);
    const before = await contentsOf(stage.host.db);
    browser.cookies.set("oauth", String(cookie));
    expect(locationOf(await browser.open(path))).toBe(failed);
    expect(reasons()).toEqual(["the state was already used"]);
    expect(await contentsOf(stage.host.db)).toEqual(before);
  });

  test("with a code of someone else's sign-in is refused: it fits neither the verifier nor the nonce", async () => {
    const attacker = await comeBack(provider);
    const victim = await comeBack(provider);
    const code = new URL(attacker.path, "http://any.example").searchParams.get("code");
    const mixed = victim.path.replace(/code=[^&]*/, `code=${code}`);
    const before = await contentsOf(stage.host.db);
    expect(locationOf(await victim.browser.open(mixed))).toBe(failed);
    expect(withoutStates(await contentsOf(stage.host.db))).toEqual(withoutStates(before));
  });

  test("cannot be done ahead by a browser's prefetch", async () => {
    const { browser, path } = await comeBack(provider);
    const cookie = `oauth=${browser.cookies.get("oauth")}`;
    const headers = { cookie, "sec-purpose": "prefetch", "sec-fetch-site": "cross-site" };
    const before = await contentsOf(stage.host.db);
    expect((await stage.host.request(path, { headers })).status).toBe(403);
    expect(await contentsOf(stage.host.db)).toEqual(before);
    expect(locationOf(await browser.open(path))).toBe("/dashboard");
  });

  test("T1: fifty times at the same time signs in once", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { browser, path } = await comeBack(provider);
      const asked = stage[provider].exchanges;
      const headers = { cookie: `oauth=${browser.cookies.get("oauth")}` };
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => stage.host.request(path, { headers })),
      );
      const locations = answers.map(locationOf).sort();
      expect(locations).toEqual(["/dashboard", ...Array(49).fill(failed)]);
      expect(stage[provider].exchanges - asked).toBe(1);
      const sessions = answers
        .flatMap((answer) => answer.headers.getSetCookie())
        .filter((line) => /^sid=[\w-]/.test(line));
      expect(sessions).toHaveLength(1);
    }
  });

  test("two simultaneous sign-ins in one browser each know their own state", async () => {
    const browser = stage.browser();
    const first = await comeBack(provider, browser);
    const cookie = browser.cookies.get("oauth");
    const second = await comeBack(provider, browser);
    expect(browser.cookies.get("oauth")).toBe(String(cookie));
    expect(second.path).not.toBe(first.path);
    expect(locationOf(await browser.open(second.path))).toBe("/dashboard");
  });
});

describe.each([...providerNames])("O2: the way to %s", (provider) => {
  test("carries a challenge, a state that tells nothing, and no secret; nothing is stored", async () => {
    const before = await contentsOf(stage.host.db);
    const browser = stage.browser();
    const url = new URL(locationOf(await browser.open(`/api/auth/${provider}?returnTo=/admin`)));
    const asked = Object.fromEntries(url.searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: stage[provider].client.clientId,
      redirect_uri: `${stage.host.services.appUrl}/api/auth/${provider}/callback`,
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      scope: provider === "google" ? "openid email profile" : "read:user user:email",
      ...(provider === "google" ? { nonce: expect.stringMatching(/^[\w-]{43}$/) } : {}),
    });
    const secret = String(browser.cookies.get("oauth"));
    const plain = Buffer.from(String(asked.state), "base64url").toString("latin1");
    for (const hidden of [secret, hashToken(secret), "/admin", stage[provider].client.clientSecret]) {
      expect(url.href + plain).not.toContain(hidden);
    }
    expect(await contentsOf(stage.host.db)).toEqual(before);
  });

  test("is another one each time", async () => {
    const browser = stage.browser();
    const open = async () => new URL(locationOf(await browser.open(`/api/auth/${provider}`))).searchParams;
    const [first, second] = [await open(), await open()];
    for (const name of ["state", "code_challenge"]) expect(first.get(name)).not.toBe(second.get(name));
  });
});
