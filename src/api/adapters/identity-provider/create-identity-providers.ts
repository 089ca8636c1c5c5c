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
import { createOutbound } from "../outbound/create-outbound.ts";
import {
  converse,
  createOAuthClient,
  type OAuthRegistration,
  ProviderFault,
  readJson,
  readObject,
  textIn,
} from "./oauth-client.ts";
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
    settings.subscribe(["providers"], (current) => offer(current.providers));
  }
  return providers;
};

/** What GitHub, or a server of its kind, is spoken to with; addresses without slash at their end. */
type GitHubOptions = {
  registration: OAuthRegistration;
  baseUrl: string;
  apiUrl: string;
  limitMs: number;
};

const scopes = ["read:user", "user:email"];

/** Sign-in with GitHub. Of a person's addresses only the primary one counts, as verified or not as GitHub says. */
const createGitHub = ({
  registration,
  baseUrl,
  apiUrl,
  limitMs,
}: GitHubOptions): Pick<IdentityProvider, "authorizationUrl" | "identify"> => {
  const outbound = createOutbound({ deadlineMs: limitMs });
  const client = createOAuthClient(registration, outbound);

  const ask = (path: string, accessToken: string, signal: AbortSignal) =>
    outbound({
      url: `${apiUrl}${path}`,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${accessToken}`,
        "x-github-api-version": "2022-11-28",
      },
      signal,
    });

  return {
    authorizationUrl: (challenge) =>
      converse(limitMs, async () => {
        const url = await client.authorizationUrl(`${baseUrl}/login/oauth/authorize`, scopes, challenge);
        return url.href;
      }),
    identify: ({ code }, { codeVerifier }) =>
      converse(limitMs, async (signal) => {
        const endpoint = `${baseUrl}/login/oauth/access_token`;
        const accessToken = await client.exchange({ endpoint, code, codeVerifier, signal });
        const [user, emails] = await Promise.all([
          ask("/user", accessToken, signal),
          ask("/user/emails", accessToken, signal),
        ]);
        const person = readObject(user, "the user request");
        return {
          subject: subjectOf(person),
          name: textIn(person, "name") ?? textIn(person, "login"),
          ...primaryEmail(readJson(emails, "the emails request")),
        };
      }),
  };
};

// Names can be changed and taken over by someone else; the number cannot.
const subjectOf = (person: object): string => {
  const id: unknown = Reflect.get(person, "id");
  if (!Number.isSafeInteger(id) || Number(id) <= 0)
    throw new ProviderFault("the user request identifies no user");
  return String(id);
};

const primaryEmail = (emails: unknown): { email: string | null; isEmailVerified: boolean } => {
  if (!Array.isArray(emails)) throw new ProviderFault("the emails request did not return a list");
  const primary: unknown = emails.find((entry) => Reflect.get(Object(entry), "primary") === true);
  return {
    email: textIn(primary, "email"),
    isEmailVerified: Reflect.get(Object(primary), "verified") === true,
  };
};
