import { Alert, Card, CardContent, CardHeader, CardTitle, formatCount } from "@atrium/plugin-sdk/ui";
import { useId, useMemo, useState } from "react";
import type { CountriesData, CountryRules } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { LeaveQuestion } from "../parts/leave-question.tsx";
import { SaveRow } from "../parts/save-row.tsx";
import { countryTexts as texts } from "../rule-texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { type CountryDraft, changesOf, withDraft } from "./country-draft.ts";
import { countryNamer } from "./country-list.ts";
import { CountryPicker } from "./country-picker.tsx";

/** How countries are looked at and which they are; both are saved together. */
export const CountriesForm = ({ data }: { data: CountriesData }) => {
  const { calls } = useFirewall();
  const save = useSaver();
  const [draft, setDraft] = useState<CountryDraft>({});
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const nameOf = useMemo(() => countryNamer(), []);
  const { mode, codes } = withDraft(data, draft);
  const changes = changesOf(data, draft);
  const isDirty = Object.keys(changes).length > 0;
  const change = (more: CountryDraft) => {
    setFailure(null);
    setDraft({ ...draft, ...more });
  };
  const submit = async () => {
    if (!isDirty || isBusy) return;
    if (mode !== "off" && codes.length === 0) return setFailure(texts.needsSome);
    setIsBusy(true);
    setFailure(null);
    try {
      await save((revision) => calls.saveCountries({ ...changes, revision }));
      setDraft({});
    } catch (error) {
      setFailure(saveFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <LeaveQuestion isDirty={isDirty} />
      {!data.knowsCountries && (
        <Alert severity="warning" title={texts.unknown}>
          {data.notice || texts.unknownText}
        </Alert>
      )}
      <Card aria-labelledby="firewall-countries">
        <CardHeader className="block">
          <CardTitle id="firewall-countries">{texts.title}</CardTitle>
          <p className="mt-1 text-[0.8125rem] text-muted-foreground">
            {texts.lead} {data.ownCountry !== null && texts.own(nameOf(data.ownCountry))}{" "}
            {data.hits > 0 && texts.hits(formatCount(data.hits))}
          </p>
        </CardHeader>
        <CardContent>
          <form
            noValidate
            className="grid grid-cols-1 gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <ModeChoice mode={mode} onChange={(next) => change({ mode: next })} />
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
            <SaveRow
              isDirty={isDirty}
              isBusy={isBusy}
              failure={failure}
              onDiscard={() => {
                setDraft({});
                setFailure(null);
              }}
            />
          </form>
        </CardContent>
      </Card>
    </>
  );
};

type ModeChoiceProps = { mode: CountryRules["mode"]; onChange: (mode: CountryRules["mode"]) => void };

const modes = ["off", "deny", "allow"] as const;

const ModeChoice = ({ mode, onChange }: ModeChoiceProps) => {
  const id = useId();
  return (
    <fieldset className="grid gap-2 md:grid-cols-3">
      <legend className="mb-2 font-medium text-sm leading-5">{texts.mode}</legend>
      {modes.map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer gap-3 rounded-md border border-border p-3 text-sm has-checked:border-primary has-checked:bg-primary/5"
        >
          <input
            type="radio"
            name={`${id}-mode`}
            checked={mode === choice}
            onChange={() => onChange(choice)}
            className="mt-0.5 size-4 shrink-0 accent-primary focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring"
          />
          <span className="grid content-start gap-0.5">
            <span className="font-medium">{texts.modes[choice].name}</span>
            <span className="text-[0.8125rem] text-muted-foreground">{texts.modes[choice].text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
