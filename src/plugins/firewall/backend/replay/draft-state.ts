import type { State } from "../change/exposure.ts";
import { type Making, newAddress } from "../edit/address-edits.ts";
import { countriesFrom, exemptionFrom, putExemption, putRate, rateFrom } from "../edit/rule-edits.ts";
import type { Rules } from "../rules/rules.ts";
import type { ReplayDraft } from "../wire.ts";

/**
 * What would be in force with a draft: unless it says so itself, with the master switch on and development mode off, since
 * that is what somebody wants to know before. Throws `Refused` with what is at fault.
 */
export const draftState = ({ rules, switches }: State, draft: ReplayDraft, making: Making): State => {
  const entries = (draft.addAddresses ?? []).map((input) => newAddress(input, making));
  const ranges = new Set(entries.map(({ range }) => range));
  const kept = rules.addresses.filter(({ range }) => !ranges.has(range));
  const addressed: Rules = { ...rules, addresses: [...kept, ...entries] };
  const rated = (draft.addRates ?? []).reduce<Rules>(
    (sum, input) => putRate(sum, rateFrom(input)),
    addressed,
  );
  const exempted = (draft.addExemptions ?? []).reduce<Rules>(
    (sum, input) => putExemption(sum, exemptionFrom(input)),
    rated,
  );
  return {
    rules: {
      ...exempted,
      countries: draft.countries ? countriesFrom(draft.countries, rules.countries) : rules.countries,
      switchedOff: draft.switchedOff ?? rules.switchedOff,
    },
    switches: { ...switches, masterSwitchEnabled: true, developmentModeEnabled: false, ...draft.switches },
  };
};
