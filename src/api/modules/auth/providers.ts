import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import type { ConfiguredProviders } from "./contract.ts";
import { countOtherIssuers, wasOffered } from "./provider-store.ts";
import { registrationState } from "./registration.ts";

/** Sign-in providers here, and who may register. */
export const listProviders = async (ctx: Context): Promise<ConfiguredProviders> => ({
  google: ctx.providers.has("google"),
  github: ctx.providers.has("github"),
  providers: [...ctx.providers].map(([id, { label, kind }]) => ({ id, label, kind })),
  registration: registrationState(ctx),
});

/**
 * The provider in a path, also one that is switched off or removed, of which the sign-in page then says so. Throws `NOT_FOUND`
 * for any other, as for any path that leads nowhere.
 */
export const knownProvider = async (
  { providers, db }: Context,
  { provider }: { provider: string },
): Promise<string> => {
  if (!providers.has(provider) && !(await wasOffered(db, provider))) throw new AppError("NOT_FOUND");
  return provider;
};

/**
 * Warns, at the start of a server, of accounts that are linked to a provider at another issuer than today's. Their
 * owners are strangers at today's until its former address is configured. `issuers` are today's, by provider.
 */
export const warnOfOtherIssuers = async (
  { db, log }: { db: Database; log: Log },
  issuers: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const [provider, now] of issuers) {
    const name = providerNames.find((known) => known === provider);
    const label = name === undefined ? provider : providerLabels[name];
    for (const { issuer: former, accounts } of await countOtherIssuers(db, provider, now)) {
      const words = `accounts are linked to ${label} at another address, which can't be used to sign in`;
      log.warn(words, { accounts, former, now, remedy: remedyOf(name, former, now) });
    }
  }
};

const formerVariables = {
  google: "GOOGLE_FORMER_ISSUER",
  github: "GITHUB_FORMER_BASE_URL",
} as const satisfies Record<ProviderName, string>;

const remedyOf = (name: ProviderName | undefined, former: string, now: string): string =>
  name === undefined
    ? "their owners can sign in another way, unlink the provider and link it again"
    : `if ${now} has the same users with the same ids, set ${formerVariables[name]}=${former}`;
