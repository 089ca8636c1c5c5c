import { createIdentityProviders } from "#api/adapters/identity-provider/create-identity-providers.ts";
import { type Clock, systemClock } from "#api/core/clock.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestHost, testOrigin } from "#api/testing/host.ts";
import type { ProviderName } from "#contract/users.ts";
import { type GithubStub, startGithubStub } from "./github-stub.ts";
import { type MockOpenId, startMockOpenId } from "./mock-open-id.ts";
import type { MockPerson } from "./mock-person.ts";
import { createTestBrowser, type TestBrowser } from "./test-browser.ts";

/** A host that offers both providers, and the two providers. */
export type SignInStage = {
  host: TestHost;
  google: MockOpenId;
  github: GithubStub;
  browser(): TestBrowser;
  /** Signs a person in with a browser, a fresh one unless given; resolves to it and where it was led. */
  signIn(
    provider: ProviderName,
    person: MockPerson,
    browser?: TestBrowser,
  ): Promise<{ browser: TestBrowser; location: string }>;
  close(): Promise<void>;
};

export type SignInStageOptions = {
  /** How long a conversation with a provider may take; as in the product unless given. */
  limitMs?: number;
  /** The clock by which they are believed and remembered; the real one unless given. */
  providerClock?: Clock;
  appUrl?: string;
};

/** Starts both providers and a host that uses them. Close it after the tests. */
export const openSignInStage = async ({
  limitMs,
  providerClock = systemClock,
  appUrl = testOrigin,
}: SignInStageOptions = {}): Promise<SignInStage> => {
  const [google, github] = await Promise.all([startMockOpenId(), startGithubStub()]);
  const providers = createIdentityProviders({
    config: {
      google: google.client,
      github: github.client,
      googleIssuer: google.url,
      googleFormerIssuer: null,
      githubBaseUrl: github.url,
      githubFormerBaseUrl: null,
      githubApiUrl: `${github.url}/api/v3`,
    },
    appUrl,
    clock: providerClock,
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  const host = await createTestHost({ appUrl, providers, hasher: createCheapHasher() });
  const browser = () => createTestBrowser(host);
  return {
    host,
    google,
    github,
    browser,
    signIn: async (provider, person, visitor = browser()) => {
      (provider === "google" ? google : github).become(person);
      const location = await visitor.signIn(`/api/auth/${provider}`);
      return { browser: visitor, location };
    },
    close: async () => {
      await host.close();
      await Promise.all([google.stop(), github.stop()]);
    },
  };
};
