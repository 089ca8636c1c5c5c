import { providerLabels, providerNames, type User } from "#contract/users.ts";

/** The providers that somebody signs in through, as people know them. */
export const waysIn = ({ googleId, githubId }: Pick<User, "googleId" | "githubId">): string[] => {
  const linked = { google: googleId !== null, github: githubId !== null };
  return providerNames.filter((name) => linked[name]).map((name) => providerLabels[name]);
};
