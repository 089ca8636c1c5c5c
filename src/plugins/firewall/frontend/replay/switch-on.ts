import type { Switches } from "../../backend/wire.ts";
import type { Calls } from "../calls.ts";
import { emptyForm, type ReplayForm, toDraft } from "./replay-form.ts";

/** The parts of a draft, in the order in which they are put in force: what lets people in comes before what keeps them out. */
export const draftParts = ["addresses", "switches", "rates", "countries"] as const;
type DraftPart = (typeof draftParts)[number];

/** What became of it: the parts that are in force, what is left of the form, and why the rest is not. */
export type SwitchedOn = { done: DraftPart[]; left: ReplayForm; failure: unknown };

/** Puts a draft in force, part by part; the first refusal ends it. `revision` tells the newest known before each write. */
export const switchOn = async (
  calls: Calls,
  { form, now, revision }: { form: ReplayForm; now: Switches; revision: () => Promise<number> },
): Promise<SwitchedOn> => {
  const draft = toDraft(form, now);
  const done: DraftPart[] = [];
  let left = form;
  const steps: Record<DraftPart, () => Promise<void>> = {
    addresses: async () => {
      const sorted = form.addresses.toSorted((a, b) => a.kind.localeCompare(b.kind));
      for (const entry of sorted) {
        await calls.addAddress(entry);
        left = { ...left, addresses: left.addresses.filter((other) => other !== entry) };
      }
    },
    switches: async () => {
      await calls.saveSwitches({ ...draft.switches, revision: await revision() });
      left = { ...left, level: emptyForm.level, threshold: emptyForm.threshold };
    },
    rates: async () => {
      for (const rate of form.rates) {
        await calls.addRate({ ...rate, isOn: true });
        left = { ...left, rates: left.rates.filter((other) => other !== rate) };
      }
    },
    countries: async () => {
      await calls.saveCountries({ ...draft.countries, revision: await revision() });
      left = { ...left, countries: emptyForm.countries };
    },
  };
  const wanted: Record<DraftPart, boolean> = {
    addresses: form.addresses.length > 0,
    switches: draft.switches !== undefined,
    rates: form.rates.length > 0,
    countries: draft.countries !== undefined,
  };
  for (const part of draftParts) {
    if (!wanted[part]) continue;
    try {
      await steps[part]();
    } catch (failure) {
      return { done, left, failure };
    }
    done.push(part);
  }
  return { done, left: emptyForm, failure: null };
};
