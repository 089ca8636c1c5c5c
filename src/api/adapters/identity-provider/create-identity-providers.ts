import { type Clock, systemClock } from "#api/core/clock.ts";
import type { IdentityProvider, IdentityProviders } from "#api/core/context.ts";
import {
  type EnvironmentProvider,
  isOverruled,
  type OidcProvider,
  type ProviderRules,
  redirectUriOf,
} from "#api/core/providers.ts";
import type { SettingsService } from "#api/core/settings.ts";
import { providerSettings } from "#contract/provider-settings.ts";
import { type ProviderName, providerKind, providerLabels } from "#contract/users.ts";
import { createGitHub } from "./github.ts";
import { createOpenId } from "./open-id.ts";

/** The registration of this installation with one provider. */
type ProviderCredentials = { clientId: string; clientSecret: string };

/**
 * The part of the configuration that is about social sign-in; addresses without slash at their end. Former ones are of
 * issuers that have moved: their people are the same.
 */
export type ProviderConfig = {
  google: ProviderCredentials | null;
  github: ProviderCredentials | null;
  googleIssuer: string;
  googleFormerIssuer: string | null;
  githubBaseUrl: string;
  githubFormerBaseUrl: string | null;
  githubApiUrl: string;
  oidcProviders: readonly OidcProvider[];
};

export type IdentityProviderOptions = {
  config: ProviderConfig;
  /** Public origin without trailing slash: callbacks lie below it. */
  appUrl: string;
  /** Those that admins have added; none unless given. */
  settings?: Pick<SettingsService, "current" | "subscribe">;
  /** What stands in the place of each: the provider itself unless given. */
  wrap?: (id: string, provider: IdentityProvider) => IdentityProvider;
  clock?: Clock;
  /** Bounds a whole conversation with a provider. */
  limitMs?: number;
};

// A sign-in must be over, one way or the other, within 10 s; the rest is for the database.
const defaultLimitMs = 8_000;

/** Those of Google and GitHub, where anyone may have an account. */
export const openRules: ProviderRules = {
  maySignUp: true,
  signUpDomains: null,
  groupRoles: null,
  isFactorTrusted: false,
};

/** The providers that the environment names, in the order in which they are offered. */
export const environmentProviders = (config: ProviderConfig): EnvironmentProvider[] => {
  const { google, github, googleIssuer, githubBaseUrl, oidcProviders } = config;
  const { scopes, claims } = providerSettings.defaults;
  const usual = { scopes, claims, trustedDomains: [], rules: openRules };
  const named = (
    id: ProviderName,
    registration: ProviderCredentials | null,
    issuer: string,
    former: string | null,
  ) =>
    registration
      ? [
          {
            ...{ id, kind: id, label: providerLabels[id], issuer },
            ...registration,
            ...usual,
            subjectIssuer: former ?? issuer,
          },
        ]
      : [];
  return [
    ...named("google", google, googleIssuer, config.googleFormerIssuer),
    ...named("github", github, githubBaseUrl, config.githubFormerBaseUrl),
    ...oidcProviders.map((provider) => ({
      ...provider,
      kind: "oidc" as const,
      subjectIssuer: provider.issuer,
    })),
  ];
};

/** Whose subjects the users of each of them are. */
export const issuersOf = (environment: readonly EnvironmentProvider[]): ReadonlyMap<string, string> =>
  new Map(environment.map(({ id, subjectIssuer }) => [id, subjectIssuer]));

/**
 * The identity providers that are configured, at any time as the environment and the settings have them. Nothing is called
 * before someone signs in.
 */
export const createIdentityProviders = ({
  config,
  appUrl,
  settings,
  wrap = (_, provider) => provider,
  clock = systemClock,
  limitMs = defaultLimitMs,
}: IdentityProviderOptions): IdentityProviders => {
  const environment = environmentProviders(config);
  const issuers = issuersOf(environment);
  const create = (provider: OidcProvider): IdentityProvider => {
    const { id, label, rules, issuer, clientId, clientSecret } = provider;
    const registration = { clientId, clientSecret, redirectUri: redirectUriOf(appUrl, id) };
    const ways =
      id === "github"
        ? createGitHub({ registration, baseUrl: issuer, apiUrl: config.githubApiUrl, limitMs })
        : createOpenId({ ...provider, registration, clock, limitMs });
    return wrap(id, { kind: providerKind(id), label, rules, issuer: issuers.get(id) ?? issuer, ...ways });
  };
  const fixed = environment.map((provider) => [provider.id, create(provider)] as const);
  const providers = new Map(fixed);
  let added = new Map<string, { about: OidcProvider; provider: IdentityProvider }>();
  const offer = (stored: readonly OidcProvider[]): void => {
    const used = stored.filter((provider) => !isOverruled(provider, environment));
    // One that stays as it is keeps what it has found out about its issuer.
    const next = used.map((about) => {
      const former = added.get(about.id);
      return former && Bun.deepEquals(former.about, about) ? former : { about, provider: create(about) };
    });
    added = new Map(next.map((entry) => [entry.about.id, entry]));
    providers.clear();
    for (const [id, provider] of fixed) providers.set(id, provider);
    for (const [id, { provider }] of added) providers.set(id, provider);
  };
  if (settings !== undefined) {
    offer(settings.current.providers);
    settings.subscribe((current) => offer(current.providers));
  }
  return providers;
};
