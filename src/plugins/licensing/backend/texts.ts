import type { LicenceFacts } from "./wire.ts";

/** The formatter is created on use: creating the first one takes longer than the rest of this plugin's start. */
const wordsOf = (date: Date): string =>
  new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);

/** The date of an instant in UTC, such as “November 30, 2027”. */
const dayText = (iso: string): string => wordsOf(new Date(iso));

/** The last day before `end`: what expires as a day begins is valid through the day before. */
export const lastDayText = (end: string): string => wordsOf(new Date(Date.parse(end) - 1));

/** The plan of an installation without a license key. */
export const communityPlan = "Community";

/** Why a license key is refused. */
export const refusalTexts = {
  form: "Not a license key: license keys start with “atrium1.” and have three parts",
  size: "Too long for a license key",
  signature: "The signature of this key is not valid: the key was altered, or its issuer is not trusted here",
  payload: "This key is signed but incomplete",
  future: (from: string) => `This license starts on ${dayText(from)}: check the server's clock`,
  expired: (end: string) => `This license expired on ${lastDayText(end)}`,
} as const;

/** A sentence or two about the current license. */
export const noteTexts = {
  community:
    "This installation uses the Community license. Nothing is locked; a license key adds an owner and a plan.",
  unending: "This license does not expire.",
  active: ({ expiresAt }: Ending) => `This license is valid through ${lastDayText(expiresAt)}.`,
  grace: ({ expiresAt, graceEndsAt }: Ending) =>
    `This license expired on ${lastDayText(expiresAt)}. The grace period runs through ${lastDayText(graceEndsAt)}; after that, the Community license applies.`,
  expired: ({ expiresAt }: Ending) =>
    `The license expired on ${lastDayText(expiresAt)}; the Community license applies. Enter a new license key to replace it.`,
  invalid: (reason: string) =>
    `The stored license key is not valid; the Community license applies. ${reason}.`,
} as const;

type Ending = { expiresAt: string; graceEndsAt: string };

/** Results of a change. */
export const doneTexts = {
  entered: ({ owner, plan }: Pick<LicenceFacts, "owner" | "plan">) => `Licensed to ${owner} (${plan})`,
  removed: "License removed; the Community license applies. To undo this, enter the key again.",
  nothingToRemove: "There is no license key to remove",
} as const;

/** What is wrong with the additional issuer's key. */
export const issuerKeyTexts = {
  form: "The issuer's public key in the settings is not valid, so no key signed with it is accepted",
  weak: "The issuer's public key in the settings is weak: anyone could forge signatures, so it is ignored",
} as const;
