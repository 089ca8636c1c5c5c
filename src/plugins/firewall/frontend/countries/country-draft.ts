import type { CountryRules } from "../../backend/wire.ts";

/** What was changed about the countries and is not saved. */
export type CountryDraft = Partial<CountryRules>;

/** The rules as they would be with the draft. */
export const withDraft = (saved: CountryRules, draft: CountryDraft): CountryRules => ({
  mode: draft.mode ?? saved.mode,
  codes: draft.codes ?? saved.codes,
});

/** Only what is another than what is saved; the order of codes does not matter. Empty for nothing. */
export const changesOf = (saved: CountryRules, draft: CountryDraft): CountryDraft => ({
  ...(draft.mode !== undefined && draft.mode !== saved.mode && { mode: draft.mode }),
  ...(draft.codes !== undefined && !areSame(draft.codes, saved.codes) && { codes: draft.codes }),
});

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length;
