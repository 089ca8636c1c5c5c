import { expect, test } from "bun:test";
import { createTestClock, type TestClock } from "#api/testing/clock.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { withoutStates } from "#api/testing/identity/local-accounts.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { openSignInStage, type SignInStage } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf } from "#api/testing/identity/test-browser.ts";
import { providerNames } from "#contract/users.ts";

const failed = "/login?error=auth_failed";

const onStage = async (act: (stage: SignInStage, clock: TestClock) => Promise<void>) => {
  const providerClock = createTestClock();
  const stage = await openSignInStage({ providerClock });
  try {
    await act(stage, providerClock);
  } finally {
    await stage.close();
  }
};

test("O4: a provider that never responds delays no one by more than 10 s, and creates no account", () =>
  onStage(async (stage) => {
    stage.google.fail("silent");
    stage.github.fail("dripping");
    const before = withoutStates(await contentsOf(stage.host.db));
    const startedAt = performance.now();
    const ended = await Promise.all(
      providerNames.map(async (provider) => (await stage.signIn(provider, newMockPerson())).location),
    );
    expect(ended).toEqual([failed, failed]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(withoutStates(await contentsOf(stage.host.db))).toEqual(before);
  }));

test("O4: an issuer that is away leads back to the sign-in page, and is asked again a little later", () =>
  onStage(async (stage, clock) => {
    const { google } = stage;
    google.describe({ issuer: "https://another.example" });
    expect(await stage.browser().signIn("/api/auth/google")).toBe(failed);
    expect(await stage.browser().signIn("/api/auth/google")).toBe(failed);
    const path = "/.well-known/openid-configuration";
    expect(google.asked[path]).toBe(1);
    google.describe(null);
    clock.advance(5_000);
    expect((await stage.signIn("google", newMockPerson())).location).toBe("/dashboard");
    expect((await stage.signIn("google", newMockPerson())).location).toBe("/dashboard");
    expect([google.asked[path], google.asked["/jwks"]]).toEqual([2, 1]);
    clock.advance(60 * 60 * 1000);
    expect((await stage.signIn("google", newMockPerson())).location).toBe("/dashboard");
    expect([google.asked[path], google.asked["/jwks"]]).toEqual([3, 2]);
  }));

test("O4: a database that is away leads back to the sign-in page, with a session and without", async () => {
  const stage = await openSignInStage();
  const { browser: known } = await stage.signIn("github", newMockPerson());
  const browsers = [stage.browser(), known];
  const paths = await Promise.all(browsers.map((browser) => browser.goToProvider("/api/auth/github")));
  // Until then the session is remembered.
  stage.host.clock.advance(60_000);
  await stage.host.close();
  for (const [at, browser] of browsers.entries()) {
    const response = await browser.open(String(paths[at]));
    expect(locationOf(response)).toBe(failed);
    expect(response.headers.getSetCookie().filter((line) => /^sid=[^;]/.test(line))).toEqual([]);
  }
  expect(await known.goToProvider("/api/auth/github")).toBe(failed);
  await Promise.all([stage.google.stop(), stage.github.stop()]);
});
