/** The state of an account in a word. */
export const userState = (user: { disabled: boolean; emailVerified: boolean }): string => {
  if (user.disabled) return "disabled";
  return user.emailVerified ? "verified" : "unverified";
};
