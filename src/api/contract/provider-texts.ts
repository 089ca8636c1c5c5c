const counted = (users: number): string => `${users} ${users === 1 ? "user has" : "users have"}`;

/** Sentences about sign-in providers that pages say as well as the server. */
export const pageProviderTexts = {
  nameInvalid: "Please enter 2 to 32 lowercase letters and digits, beginning with a letter",
  nameReserved: "This name is reserved; please choose another one",
  issuerInvalid: "Please enter an https URL without query, such as https://id.acme.example",
  clientIdInvalid: "Please enter the client ID without spaces, at most 300 characters",
  secretInvalid: "Please enter the client secret without spaces, at most 1,000 characters",
  /** Whom a change leaves without a way to sign in; empty where that is no one. */
  leftOut: (users: number) =>
    users === 0 ? "" : `${counted(users)} no other way to sign in and will need a password reset`,
  /** The administrators whom its groups made, if no one can sign in with it anymore; empty where that is no one. */
  adminsStay: (admins: number) =>
    admins === 0
      ? ""
      : `${admins} ${admins === 1 ? "administrator has" : "administrators have"} the role from its groups until it is changed here; sessions through it end, API tokens keep working`,
} as const;

/** The sentences that are not empty, in a row, without a period at the end. */
export const sentences = (...all: string[]): string => all.filter((text) => text !== "").join(". ");

/** Whom it concerns that no one can sign in with a provider anymore; empty where that is no one. */
export const onceGone = (counts: { usersWithoutOther: number; adminsByGroup: number }): string =>
  sentences(
    pageProviderTexts.leftOut(counts.usersWithoutOther),
    pageProviderTexts.adminsStay(counts.adminsByGroup),
  );

/** Sentences about sign-in providers. */
export const providerTexts = {
  ...pageProviderTexts,
  lockedByEnvironment: (label: string, variables: string) =>
    `${label} is configured by the environment (${variables}) and can only be changed there`,
  testWorks: "Sign-in Provider Test Successful",
  notOpenId: "GitHub can't be tested here: it doesn't speak OpenID Connect. Sign in with it instead",
  unknown: "This sign-in provider doesn't exist",
  issuerTaken: (label: string) => `${label} has this issuer already`,
  tooMany: (most: number) => `There can be at most ${most} sign-in providers; please remove one first`,
  saved: (label: string) => `${label} was saved`,
  removed: (label: string) => `${label} was removed`,
  noAdminLeft:
    "No administrator could sign in afterwards; give one a password or another way to sign in first",
  /** Who is linked to a former issuer or under a former name; empty where that is no one. */
  leftBehind: (users: number) =>
    users === 0
      ? ""
      : `${counted(users)} linked it at another issuer or under another name and can't sign in with it`,
} as const;
