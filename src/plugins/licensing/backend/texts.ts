import type { LicenceFacts } from "./wire.ts";

/** Made when one is wanted: the first one made takes longer than all else of this plugin's start. */
const wordsOf = (date: Date): string =>
  new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);

/** The day of an instant as people write it, by the clock of UTC. */
const dayText = (iso: string): string => wordsOf(new Date(iso));

/** The last day before an end: what ends as a day begins held through the day before. */
export const lastDayText = (end: string): string => wordsOf(new Date(Date.parse(end) - 1));

/** The plan of an installation without a licence. */
export const communityPlan = "Community";

/** Why a licence key is refused. */
export const refusalTexts = {
  form: "This is not a license key: it must start with “atrium1.” and have three parts",
  size: "This is too long for a license key",
  signature: "The signature of this key is invalid: the key was altered, or its issuer is unknown",
  payload: "This key is signed, but its content is not a valid license",
  future: (from: string) => `This license starts on ${dayText(from)}: check the clock of the server`,
  expired: (end: string) => `This license expired on ${lastDayText(end)}`,
} as const;

/** What is said of the licence that there is. */
export const noteTexts = {
  community:
    "This installation uses the Community license. All features are available; a key adds its owner and plan.",
  unending: "This license does not expire.",
  active: ({ expiresAt }: Ending) => `This license is valid through ${lastDayText(expiresAt)}.`,
  grace: ({ expiresAt, graceEndsAt }: Ending) =>
    `This license expired on ${lastDayText(expiresAt)}. The grace period lasts through ${lastDayText(graceEndsAt)}; after that the Community license applies.`,
  expired: ({ expiresAt }: Ending) =>
    `The license expired on ${lastDayText(expiresAt)}, so the Community license applies. Enter a newer key to change that.`,
  invalid: (reason: string) =>
    `The stored license key is not valid, so the Community license applies. ${reason}.`,
} as const;

type Ending = { expiresAt: string; graceEndsAt: string };

/** What became of a change. */
export const doneTexts = {
  entered: ({ owner, plan }: Pick<LicenceFacts, "owner" | "plan">) => `Licensed to ${owner} (${plan})`,
  removed: "License removed. The Community license applies now. Enter the key again to undo this.",
  nothingToRemove: "There is no license key to remove",
} as const;

/** What is wrong with the additional issuer's key. */
export const issuerKeyTexts = {
  form: "The issuer's public key in the settings is invalid, so no key is accepted for it",
  weak: "The issuer's public key in the settings accepts signatures that anyone can create, so it is not used",
} as const;
