import type { User } from "#contract/users.ts";

/** How somebody signs in: Google goes before GitHub, a password counts as Email. */
export const signInMethod = ({ googleId, githubId }: Pick<User, "googleId" | "githubId">) => {
  if (googleId !== null) return "Google";
  return githubId === null ? "Email" : "GitHub";
};
