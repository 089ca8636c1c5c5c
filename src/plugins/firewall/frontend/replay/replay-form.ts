import type { Paranoia } from "../../backend/engine/engine-types.ts";
import type { CountryRules, RateInput, ReplayDraft, Switches } from "../../backend/wire.ts";

/** A draft as it is being made; what is `null` or empty is as it is now. */
export type ReplayForm = {
  level: Paranoia | null;
  threshold: string;
  countries: CountryRules | null;
  addresses: { kind: "allow" | "deny"; address: string }[];
  rates: RateInput[];
};

/** A draft that changes nothing. */
export const emptyForm: ReplayForm = {
  level: null,
  threshold: "",
  countries: null,
  addresses: [],
  rates: [],
};

/** What the server runs: only what is another than now. Countries that miss their codes are the caller's to refuse. */
export const toDraft = (
  form: ReplayForm,
  now: Pick<Switches, "paranoiaLevel" | "threshold">,
): ReplayDraft => {
  const { level, threshold, countries, addresses, rates } = form;
  const typed = Number(threshold);
  const switches: Partial<Switches> = {
    ...(level !== null && level !== now.paranoiaLevel && { paranoiaLevel: level }),
    ...(threshold.trim() !== "" && typed !== now.threshold && { threshold: typed }),
  };
  return {
    ...(Object.keys(switches).length > 0 && { switches }),
    ...(countries !== null && { countries }),
    ...(addresses.length > 0 && { addAddresses: addresses }),
    ...(rates.length > 0 && { addRates: rates }),
  };
};

/** Whether a draft would change anything. */
export const isEmptyDraft = (draft: ReplayDraft): boolean => Object.keys(draft).length === 0;

/** Whether two drafts are the same. */
export const isSameDraft = (a: ReplayDraft, b: ReplayDraft): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
