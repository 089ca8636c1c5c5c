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
  form: "This is no licence key: one begins with “atrium1.” and has three parts",
  size: "This is too long for a licence key",
  signature: "The signature of this key is wrong: it was altered, or its issuer is not known here",
  payload: "This key is signed, but does not say what a licence has to say",
  future: (from: string) => `This licence begins on ${dayText(from)}: check the clock of the server`,
  expired: (end: string) => `This licence ended on ${lastDayText(end)}`,
} as const;

/** What is said of the licence that there is. */
export const noteTexts = {
  community:
    "This installation runs with the Community licence. Nothing is locked; a key adds its owner and plan.",
  unending: "This licence does not end.",
  active: ({ expiresAt }: Ending) => `This licence holds through ${lastDayText(expiresAt)}.`,
  grace: ({ expiresAt, graceEndsAt }: Ending) =>
    `This licence ended on ${lastDayText(expiresAt)}. It goes on through ${lastDayText(graceEndsAt)}; then the Community licence holds.`,
  expired: ({ expiresAt }: Ending) =>
    `The licence that was entered ended on ${lastDayText(expiresAt)}, so that the Community licence holds. Enter a newer key to change that.`,
  invalid: (reason: string) =>
    `The licence key that is stored does not count, so that the Community licence holds. ${reason}.`,
} as const;

type Ending = { expiresAt: string; graceEndsAt: string };

/** What became of a change. */
export const doneTexts = {
  entered: ({ owner, plan }: Pick<LicenceFacts, "owner" | "plan">) => `Licensed to ${owner} (${plan})`,
  removed: "Licence removed; the Community licence holds. Entering the key again undoes this.",
  nothingToRemove: "There is no licence key to remove",
} as const;

/** What is wrong with the additional issuer's key. */
export const issuerKeyTexts = {
  form: "The issuer's public key in the settings is none: no key is taken by it",
  weak: "The issuer's public key in the settings fits signatures that anybody can make: it is not used",
} as const;
