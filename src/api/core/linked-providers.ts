import { type ProviderName, providerNames, type User } from "#contract/users.ts";

/** The providers through which an account can be signed in to, where this server offers them. */
export const linkedProviders = ({
  googleId,
  githubId,
}: Pick<User, "googleId" | "githubId">): ProviderName[] => {
  const subjects = { google: googleId, github: githubId };
  return providerNames.filter((name) => subjects[name] !== null);
};
