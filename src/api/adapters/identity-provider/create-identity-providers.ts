import { type Clock, systemClock } from "#api/core/clock.ts";
import type { IdentityProviders } from "#api/core/context.ts";
import type { ProviderName } from "#contract/users.ts";
import { createGitHub } from "./github.ts";
import { createGoogle } from "./google.ts";

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
};

export type IdentityProviderOptions = {
  config: ProviderConfig;
  /** Public origin without trailing slash: callbacks lie below it. */
  appUrl: string;
  clock?: Clock;
  /** Bounds a whole conversation with a provider. */
  limitMs?: number;
};

// A sign-in must be over, one way or the other, within 10 s; the rest is for the database.
const defaultLimitMs = 8_000;

/** Whose subjects the people of each provider are, whether or not it is configured. */
export const issuersOf = (config: ProviderConfig): Record<ProviderName, string> => ({
  google: config.googleFormerIssuer ?? config.googleIssuer,
  github: config.githubFormerBaseUrl ?? config.githubBaseUrl,
});

/** The identity providers that are configured. Nothing is called before someone signs in. */
export const createIdentityProviders = ({
  config,
  appUrl,
  clock = systemClock,
  limitMs = defaultLimitMs,
}: IdentityProviderOptions): IdentityProviders => {
  const registration = (name: ProviderName, credentials: ProviderCredentials) => ({
    ...credentials,
    redirectUri: `${appUrl}/api/auth/${name}/callback`,
  });
  const { google, github, googleIssuer, githubBaseUrl, githubApiUrl } = config;
  const issuers = issuersOf(config);
  return {
    google: google && {
      issuer: issuers.google,
      ...createGoogle({ registration: registration("google", google), issuer: googleIssuer, clock, limitMs }),
    },
    github: github && {
      issuer: issuers.github,
      ...createGitHub({
        registration: registration("github", github),
        baseUrl: githubBaseUrl,
        apiUrl: githubApiUrl,
        limitMs,
      }),
    },
  };
};
