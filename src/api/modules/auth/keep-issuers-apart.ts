import type { IdentityProvider, IdentityProviders } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import type { Database } from "#api/db/database.ts";
import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import { countLinkedBeside, takeFirstIssuer } from "./issuer-store.ts";

/** Whose subjects the identities of each provider are: an issuer's or a server's address; `null` is not configured. */
export type Issuers = Record<ProviderName, string | null>;

/**
 * A subject says who somebody is at one issuer; at another one it is a stranger's (OpenID Connect Core §5.7). Looks, at
 * the start, up or notes at which issuer this installation first had each provider, whose subjects stand as they are.
 * Resolves to what puts the issuer before the subjects of any other one, so that they are nobody who is linked already.
 */
export const keepIssuersApart = async (
  { db, log }: { db: Database; log: Log },
  issuers: Issuers,
): Promise<(providers: IdentityProviders) => IdentityProviders> => {
  const prefixes: Record<ProviderName, string> = { google: "", github: "" };
  for (const provider of providerNames) {
    const issuer = issuers[provider];
    if (issuer === null) continue;
    const first = await takeFirstIssuer(db, provider, issuer);
    if (first === issuer) continue;
    prefixes[provider] = `${issuer} `;
    const accounts = await countLinkedBeside(db, provider, prefixes[provider]);
    if (accounts === 0) continue;
    const remedy = `if ${issuer} knows the same people by the same ids, set ${formerVariables[provider]}=${first}`;
    const words = `accounts are linked to ${providerLabels[provider]} at another address, and cannot be signed in to with it`;
    log.warn(words, { accounts, first, now: issuer, remedy });
  }
  const of = (provider: IdentityProvider | null, prefix: string): IdentityProvider | null =>
    provider && {
      ...provider,
      identify: async (code, challenge) => {
        const profile = await provider.identify(code, challenge);
        return { ...profile, subject: `${prefix}${profile.subject}` };
      },
    };
  return ({ google, github }) => ({
    google: of(google, prefixes.google),
    github: of(github, prefixes.github),
  });
};

const formerVariables = {
  google: "GOOGLE_FORMER_ISSUER",
  github: "GITHUB_FORMER_BASE_URL",
} as const satisfies Record<ProviderName, string>;
