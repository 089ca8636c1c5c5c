import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import type { ConfiguredProviders } from "./contract.ts";
import { countOtherIssuers } from "./provider-store.ts";

/** Sign-in providers here. */
export const listProviders = async ({ providers }: Context): Promise<ConfiguredProviders> => ({
  google: providers.google !== null,
  github: providers.github !== null,
});

/**
 * Warns, at the start of a server, of accounts that are linked to a provider at another issuer than today's. Their
 * owners are strangers at today's until its former address is configured. `null` is a provider that is not configured.
 */
export const warnOfOtherIssuers = async (
  { db, log }: { db: Database; log: Log },
  issuers: Record<ProviderName, string | null>,
): Promise<void> => {
  for (const provider of providerNames) {
    const now = issuers[provider];
    if (now === null) continue;
    for (const { issuer: former, accounts } of await countOtherIssuers(db, provider, now)) {
      const remedy = `if ${now} has the same users with the same ids, set ${formerVariables[provider]}=${former}`;
      const words = `accounts are linked to ${providerLabels[provider]} at another address, which can't be used to sign in`;
      log.warn(words, { accounts, former, now, remedy });
    }
  }
};

const formerVariables = {
  google: "GOOGLE_FORMER_ISSUER",
  github: "GITHUB_FORMER_BASE_URL",
} as const satisfies Record<ProviderName, string>;
