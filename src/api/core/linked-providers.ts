import { type ProviderName, providerIdFields, providerNames, type User } from "#contract/users.ts";

/** The providers through which an account can be signed in to, where this server offers them. */
export const linkedProviders = (user: Pick<User, "googleId" | "githubId">): ProviderName[] =>
  providerNames.filter((name) => user[providerIdFields[name]] !== null);
