import { Alert, Field, Select } from "@atrium/plugin-sdk/ui";
import { CountryPicker } from "../countries/country-picker.tsx";
import { countryTexts, replayTexts as texts } from "../rule-texts.ts";
import { useFirewall } from "../use-firewall.ts";
import type { DraftProps } from "./draft-strictness.tsx";

const modes = ["off", "deny", "allow"] as const;

/** The countries of the draft. */
export const DraftCountries = ({ form, onChange }: DraftProps) => {
  const { config } = useFirewall();
  const { countries } = form;
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field label={texts.countries} className="lg:max-w-md">
        <Select
          value={countries?.mode ?? ""}
          onChange={(event) => {
            const mode = modes.find((choice) => choice === event.target.value);
            onChange({ countries: mode === undefined ? null : { mode, codes: countries?.codes ?? [] } });
          }}
        >
          <option value="">{texts.countriesNow}</option>
          {modes.map((mode) => (
            <option key={mode} value={mode}>
              {texts.modes[mode]}
            </option>
          ))}
        </Select>
      </Field>
      {countries !== null && !config.knowsCountries && (
        <Alert severity="warning" title={countryTexts.unknown}>
          {countryTexts.unknownText}
        </Alert>
      )}
      {countries !== null && countries.mode !== "off" && (
        <CountryPicker
          codes={countries.codes}
          onChange={(codes) => onChange({ countries: { ...countries, codes } })}
        />
      )}
    </div>
  );
};
