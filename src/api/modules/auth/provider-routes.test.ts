import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { hostilePaths, ownPaths } from "#api/testing/hostile-paths.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { openSignInStage, type SignInStage } from "#api/testing/identity/sign-in-stage.ts";
import { createTestBrowser, locationOf } from "#api/testing/identity/test-browser.ts";
import { providerIdComplaint } from "#contract/provider-settings.ts";
import { providerNames } from "#contract/users.ts";

let stage: SignInStage;
let bare: TestHost;
beforeAll(async () => {
  [stage, bare] = await Promise.all([openSignInStage(), createTestHost()]);
});
afterEach(() => {
  bare.logs.length = 0;
});
afterAll(async () => {
  await stage.close();
  await bare.close();
});

const failed = "/login?error=auth_failed";

describe("the list of providers", () => {
  test("tells everyone which ones can be used, and nothing more", async () => {
    const list = async (host: TestHost) => (await host.visitor().call("GET", "/api/auth/providers")).json();
    const registration = { policy: "open", notice: null };
    const providers = [
      { id: "google", label: "Google", kind: "google" },
      { id: "github", label: "GitHub", kind: "github" },
    ];
    expect(await list(stage.host)).toEqual({
      success: true,
      data: { google: true, github: true, providers, registration },
    });
    const none = { google: false, github: false, providers: [], registration };
    expect(await list(bare)).toEqual({ success: true, data: none });
  });
});

test("no provider can have the name of a route beside its own", () => {
  const names = bare.app.routes.all.flatMap(
    ({ template }) => /^\/api\/auth\/([^/:]+)(?:\/|$)/.exec(template)?.[1] ?? [],
  );
  expect(names).toContain("login");
  expect(names.filter((name) => providerIdComplaint(name) === null)).toEqual([]);
});

describe.each([...providerNames])("%s", (provider) => {
  test("that is not configured leads back to the sign-in page and leaves no cookie", async () => {
    for (const path of [`/api/auth/${provider}`, `/api/auth/${provider}/callback?state=x&code=y`]) {
      const browser = createTestBrowser(bare);
      const response = await browser.open(path);
      expect(locationOf(response)).toBe(failed);
      expect(await response.json()).toEqual({ location: failed });
      expect(browser.cookies.size).toBe(0);
    }
    expect(bare.logs.filter(({ message }) => message === "social sign-in failed")).toHaveLength(2);
  });

  test("signs in again: the browser's older session ends and its token is another", async () => {
    const person = newMockPerson();
    const { browser } = await stage.signIn(provider, person);
    const first = String(browser.cookies.get("sid"));
    await stage.signIn(provider, person, browser);
    expect(browser.cookies.get("sid")).not.toBe(first);
    const old = await stage.host.request("/api/auth/user", { headers: { cookie: `sid=${first}` } });
    expect(old.status).toBe(401);
    expect((await browser.user())?.email).toBe(String(person.email));
  });

  test("emails a notice of a browser that is new to the account, and none of one that is known", async () => {
    const person = newMockPerson();
    const { browser } = await stage.signIn(provider, person);
    const mails = () => stage.host.mails.filter(({ to }) => to === person.email).length;
    await stage.signIn(provider, person, browser);
    expect(mails()).toBe(0);
    await stage.signIn(provider, person);
    expect(mails()).toBe(1);
  });

  test("comes back with parameters of its own, which are ignored; overlong ones are refused", async () => {
    const browser = stage.browser();
    stage[provider].become(newMockPerson());
    const back = await browser.goToProvider(`/api/auth/${provider}`);
    const known = new URL(back, "http://any.example").searchParams.has("authuser");
    const more = `${back}&hd=example.test${known ? "" : "&scope=a+b&authuser=1&prompt=none"}`;
    expect((await stage.host.request(`${more}&code=${"x".repeat(4_001)}`)).status).toBe(302);
    const overlong = back.replace(/code=[^&]*/, `code=${"x".repeat(4_001)}`);
    expect((await stage.host.request(overlong)).status).toBe(422);
    expect(locationOf(await browser.open(more))).toBe("/dashboard");
  });

  test("answers no HEAD on its way back, and never lets an answer be kept", async () => {
    const head = await stage.host.request(`/api/auth/${provider}/callback`, { method: "HEAD" });
    expect(head.status).toBe(405);
    const start = await stage.host.request(`/api/auth/${provider}`);
    expect(start.headers.get("cache-control")).toContain("no-store");
    expect(start.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("T3: is always sent to with the public origin to come back to, whatever the host of the call", async () => {
    const forged = { "x-forwarded-host": "evil.example", forwarded: "host=evil.example", host: "127.0.0.1" };
    const there = locationOf(await stage.host.request(`/api/auth/${provider}`, { headers: forged }));
    const { appUrl } = stage.host.services;
    expect(new URL(there).searchParams.get("redirect_uri")).toBe(`${appUrl}/api/auth/${provider}/callback`);
  });

  test("Z3: gives no right to someone whose profile claims one, and no name that cannot be shown", async () => {
    const person = newMockPerson({ name: "Eve\u202e\u0000\nAdmin" });
    const claims = {
      role: "admin",
      isAdmin: true,
      emailVerified: true,
      id: "7",
      ["__proto__"]: { role: "admin" },
      createdAt: "2001-01-01T00:00:00Z",
      ...(provider === "google" ? { githubId: "77" } : { googleId: "77" }),
    };
    stage.google.change({ claims });
    const github = { id: Number(person.subject), login: "eve", name: person.name };
    stage.github.answer({ user: { ...claims, ...github } });
    const { browser } = await stage.signIn(provider, person);
    stage.google.change(null);
    stage.github.answer(null);
    const user = await browser.user();
    expect(user).toMatchObject({ role: "user", name: "Eve Admin", email: String(person.email) });
    expect(user?.[provider === "google" ? "githubId" : "googleId"]).toBeNull();
    expect(user?.id).not.toBe("7");
    expect(Reflect.get({}, "role")).toBeUndefined();
  });
});

describe("O3: after a sign-in", () => {
  const signIn = async (returnTo: string) => {
    const browser = stage.browser();
    stage.github.become(newMockPerson());
    return browser.signIn(`/api/auth/github?returnTo=${encodeURIComponent(returnTo)}`);
  };

  test.each([...ownPaths])("the reader comes back to %j", async (path) => {
    expect(await signIn(path)).toBe(path);
  });

  test.each([...hostilePaths])("%j leads to the dashboard", async (path) => {
    expect(await signIn(path)).toBe("/dashboard");
  });
});
