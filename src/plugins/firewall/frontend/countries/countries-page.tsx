import { Alert, formatCount } from "@atrium/plugin-sdk/ui";
import { useCallback, useMemo } from "react";
import type { CountriesData, CountryRules } from "../../backend/wire.ts";
import { useDraft } from "../parts/draft.ts";
import { CardChoice, SavedForm } from "../parts/forms.tsx";
import { Listed } from "../parts/lists.tsx";
import { countryTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { CountryPicker, countryNamer } from "./country-picker.tsx";

/** From which countries requests get in. */
export const CountriesPage = () => {
  const { calls } = useFirewall();
  const loaded = useRuleLoad(useCallback(() => calls.countries(), [calls]));
  return (
    <div className="grid grid-cols-1 gap-4">
      <Listed of={loaded} label={texts.title}>
        {(data) => <CountriesForm data={data} />}
      </Listed>
    </div>
  );
};

/** How countries are looked at and which they are; both are saved together. */
const CountriesForm = ({ data }: { data: CountriesData }) => {
  const { calls } = useFirewall();
  const { value, changes, isDirty, change, discard } = useDraft<CountryRules>({
    mode: data.mode,
    codes: data.codes,
  });
  const nameOf = useMemo(() => countryNamer(), []);
  const { mode, codes } = value;
  return (
    <>
      {!data.knowsCountries && (
        <Alert severity="warning" title={texts.unknown}>
          {data.notice || texts.unknownText}
        </Alert>
      )}
      <SavedForm
        title={texts.title}
        lead={[
          texts.lead,
          data.ownCountry !== null && texts.own(nameOf(data.ownCountry)),
          data.hits > 0 && texts.hits(formatCount(data.hits)),
        ]
          .filter(Boolean)
          .join(" ")}
        isDirty={isDirty}
        complaint={mode !== "off" && codes.length === 0 ? texts.needsSome : null}
        send={(revision) => calls.saveCountries({ ...changes, revision })}
        onDiscard={discard}
      >
        <CardChoice
          label={texts.mode}
          names={texts.modes}
          value={mode}
          onChoose={(next) => change({ mode: next })}
          className="md:grid-cols-3"
        />
        {mode !== "off" && (
          <div className="grid grid-cols-1 gap-3">
            <p role="status" className="font-medium text-sm">
              {codes.length === 0
                ? texts.noneChosen
                : texts.chosen(formatCount(codes.length), codes.length === 1)}
            </p>
            <CountryPicker codes={codes} onChange={(next) => change({ codes: next })} />
          </div>
        )}
      </SavedForm>
    </>
  );
};
