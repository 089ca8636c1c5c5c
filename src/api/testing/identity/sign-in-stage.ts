import { afterAll } from "bun:test";
import {
  createIdentityProviders,
  openRules,
} from "#api/adapters/identity-provider/create-identity-providers.ts";
import { type Clock, systemClock } from "#api/core/clock.ts";
import type { IdentityProvider } from "#api/core/context.ts";
import type { OidcProvider } from "#api/core/providers.ts";
import type { SettingsService } from "#api/core/settings.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { createTestHost, type TestHost, testOrigin } from "#api/testing/host.ts";
import { providerSettings } from "#contract/provider-settings.ts";
import { type GithubStub, startGithubStub } from "./github-stub.ts";
import { type MockOpenId, startMockOpenId } from "./mock-open-id.ts";
import type { MockPerson } from "./mock-person.ts";
import { createTestBrowser, type TestBrowser } from "./test-browser.ts";

/** A host that offers the providers, and the providers. */
export type SignInStage = {
  host: TestHost;
  google: MockOpenId;
  github: GithubStub;
  acme: MockOpenId | null;
  providers: Map<string, IdentityProvider>;
  browser(): TestBrowser;
  /** Signs a person in with a browser, a fresh one unless given; resolves to it and where it was led. */
  signIn(
    provider: string,
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
  /** The settings; the defaults without the limit on calls unless given. */
  settings?: SettingsService;
  /** What is different about a third provider, `acme`; there is none unless given. */
  oidc?: Partial<OidcProvider>;
};

const acmeDefaults: OidcProvider = {
  ...{ id: "acme", label: "Acme", issuer: "", clientId: "", clientSecret: "" },
  scopes: ["openid", "email", "profile"],
  claims: providerSettings.defaults.claims,
  trustedDomains: [],
  rules: openRules,
};

/** Starts both providers and a host that uses them. Close it after the tests. */
export const openSignInStage = async ({
  limitMs,
  providerClock = systemClock,
  appUrl = testOrigin,
  settings = createFixedSettings(),
  oidc,
}: SignInStageOptions = {}): Promise<SignInStage> => {
  const [google, github, acme] = await Promise.all([
    startMockOpenId(),
    startGithubStub(),
    oidc === undefined ? null : startMockOpenId("acme"),
  ]);
  const created = createIdentityProviders({
    config: {
      google: google.client,
      github: github.client,
      googleIssuer: google.url,
      googleFormerIssuer: null,
      githubBaseUrl: github.url,
      githubFormerBaseUrl: null,
      githubApiUrl: `${github.url}/api/v3`,
      oidcProviders: acme ? [{ ...acmeDefaults, ...acme.client, issuer: acme.url, ...oidc }] : [],
    },
    appUrl,
    clock: providerClock,
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  // Tests may put others in their place.
  const providers = new Map(created);
  const host = await createTestHost({ appUrl, providers, settings, hasher: createCheapHasher() });
  const browser = () => createTestBrowser(host);
  return {
    host,
    google,
    github,
    acme,
    providers,
    browser,
    signIn: async (provider, person, visitor = browser()) => {
      [google, github, acme].find((known) => known?.name === provider)?.become(person);
      const location = await visitor.signIn(`/api/auth/${provider}`);
      return { browser: visitor, location };
    },
    close: async () => {
      await host.close();
      await Promise.all([google.stop(), github.stop(), acme?.stop()]);
    },
  };
};

/** The same for all tests of a file, closed after them. Await it at the top of the file. */
export const signInStageForFile = async (options: SignInStageOptions = {}): Promise<SignInStage> => {
  const stage = await openSignInStage(options);
  afterAll(() => stage.close());
  return stage;
};
