import { AppError } from "#api/core/app-error.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Installed } from "./catalogue.ts";

/** A package in the store (or, without a key, in the executable), about to be made a version of a plugin. */
export type StoredPackage = { verified: VerifiedPackage; objectKey: string | null };

/** What was made of it: words for people, and keys of packages that nothing speaks of any more. */
export type InstallOutcome = { message: string; unused: (string | null)[] };

/** Throws `CONFLICT` when somebody changed the plugin since it was looked at. */
export const requireUnchanged = (now: Installed | undefined, then: Installed | null): void => {
  if (now?.row.generation !== then?.row.generation)
    throw new AppError("CONFLICT", pluginTexts.changedMeanwhile);
};
