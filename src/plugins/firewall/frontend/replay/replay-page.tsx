import { Alert, Button, CardContent, failureText, formatCount, useForm } from "@atrium/plugin-sdk/ui";
import { X } from "lucide-react";
import { useRef, useState } from "react";
import { saveFailure } from "../calls.ts";
import { CountryPicker } from "../countries/country-picker.tsx";
import { ChoiceField, isFine, TextField, WindowFields } from "../parts/forms.tsx";
import {
  isRulePath,
  levelOf,
  looksLikeAddress,
  toWindowMs,
  wholeNumberComplaint,
  windowText,
} from "../parts/rule-values.ts";
import { TitledCard } from "../parts/titled-card.tsx";
import { countryTexts, replayTexts as texts } from "../rule-texts.ts";
import { texts as common, overviewTexts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { isEmptyDraft, isSameDraft, type ReplayControl, type ReplayForm, toDraft } from "./replay.ts";
import { ReplayResult } from "./replay-result.tsx";

/** Other rules, tried on what came in lately. */
export const ReplayPage = ({ replay }: { replay: ReplayControl }) => {
  const { config } = useFirewall();
  const [complaint, setComplaint] = useState<string | null>(null);
  const { form, run } = replay;
  const draft = toDraft(form, config);
  const isRunning = replay.isStarting || run?.data.state === "running";
  const thresholdComplaint =
    form.threshold.trim() === "" ? null : wholeNumberComplaint(form.threshold, [1, 100]);
  const complain = () => {
    if (thresholdComplaint !== null) return thresholdComplaint;
    if (isEmptyDraft(draft)) return texts.empty;
    const { countries } = form;
    return countries !== null && countries.mode !== "off" && countries.codes.length === 0
      ? texts.needsCountry
      : null;
  };
  const start = () => {
    const found = complain();
    setComplaint(found);
    if (found === null) replay.start(draft);
  };
  const change: ReplayControl["change"] = (more) => {
    setComplaint(null);
    replay.change(more);
  };
  const failure = complaint ?? (replay.error === null ? null : failureText(replay.error, texts.failed));
  return (
    <div className="grid grid-cols-1 gap-4">
      <TitledCard title={texts.title} lead={texts.lead}>
        <CardContent className="grid grid-cols-1 gap-6">
          <DraftStrictness form={form} complaint={thresholdComplaint} onChange={change} />
          <DraftCountries form={form} onChange={change} />
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <DraftAddresses form={form} onChange={change} />
            <DraftRates form={form} onChange={change} />
          </div>
          {failure !== null && (
            <p role="alert" className="text-[0.8125rem] text-destructive">
              {failure}
            </p>
          )}
          <div className="flex flex-wrap gap-2 border-border border-t pt-4">
            <Button isBusy={isRunning} onClick={start}>
              {run === null ? texts.run : texts.again}
            </Button>
            <Button
              variant="outline"
              aria-disabled={isRunning}
              onClick={() => {
                if (isRunning) return;
                setComplaint(null);
                replay.clear();
              }}
            >
              {texts.clear}
            </Button>
          </div>
        </CardContent>
      </TitledCard>
      {run !== null && (
        <ReplayResult
          key={run.data.id}
          replay={replay}
          data={run.data}
          isOld={!isSameDraft(run.draft, draft)}
        />
      )}
    </div>
  );
};

/** What the parts of the draft get: the draft, and how to change it. */
type DraftProps = { form: ReplayForm; onChange: (more: Partial<ReplayForm>) => void };

/** Paranoia level and threshold of the draft. */
const DraftStrictness = ({ form, complaint, onChange }: DraftProps & { complaint: string | null }) => {
  const { config } = useFirewall();
  const { level, threshold } = form;
  const { levels } = overviewTexts;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:max-w-2xl">
      <ChoiceField
        label={texts.level}
        hint={level === null ? undefined : levels[level].text}
        names={{ 1: levels[1].name, 2: levels[2].name, 3: levels[3].name, 4: levels[4].name }}
        any={texts.asNow(levels[config.paranoiaLevel].name)}
        value={level === null ? null : `${level}`}
        onChoose={(choice) => onChange({ level: levelOf(choice) })}
      />
      <TextField
        label={texts.threshold}
        hint={texts.thresholdHint(String(config.threshold))}
        error={complaint}
        isNumber
        value={threshold}
        placeholder={String(config.threshold)}
        onChange={(event) => onChange({ threshold: event.target.value })}
      />
    </div>
  );
};

/** The countries of the draft. */
const DraftCountries = ({ form, onChange }: DraftProps) => {
  const { config } = useFirewall();
  const { countries } = form;
  return (
    <div className="grid grid-cols-1 gap-3">
      <ChoiceField
        label={texts.countries}
        className="lg:max-w-md"
        names={texts.modes}
        any={texts.countriesNow}
        value={countries?.mode ?? null}
        onChoose={(mode) =>
          onChange({ countries: mode === null ? null : { mode, codes: countries?.codes ?? [] } })
        }
      />
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

const addressRules = {
  kind: isFine,
  address: (value: string) => (looksLikeAddress(value) ? null : common.addressWrong),
};

/** Addresses that the draft adds to the lists. */
const DraftAddresses = ({ form, onChange }: DraftProps) => {
  const input = useRef<HTMLInputElement>(null);
  const { addresses } = form;
  const { formProps, errors } = useForm({
    rules: addressRules,
    send: async (values) => {
      const kind = values.kind === "allow" ? "allow" : "deny";
      const address = values.address.trim();
      onChange({ addresses: [...addresses.filter((other) => other.address !== address), { kind, address }] });
      if (input.current === null) return;
      input.current.value = "";
      input.current.focus();
    },
    explain: saveFailure,
  });
  return (
    <section aria-label={texts.addresses} className="grid grid-cols-1 gap-3">
      <h3 className="font-medium text-sm">{texts.addresses}</h3>
      <DraftItems
        items={addresses.map(({ kind, address }) => ({ name: address, detail: common.kinds[kind] }))}
        onRemove={(index) => onChange({ addresses: addresses.toSpliced(index, 1) })}
      />
      <form {...formProps} className="grid grid-cols-[6rem_1fr] items-start gap-3">
        <ChoiceField label={texts.kind} name="kind" names={common.kinds} defaultValue="deny" />
        <TextField
          label={texts.address}
          error={errors.address}
          ref={input}
          name="address"
          isCode
          maxLength={64}
        />
        <Button type="submit" variant="outline" size="sm" className="col-span-2 justify-self-start">
          {texts.addToDraft}
        </Button>
      </form>
    </section>
  );
};

type RateName = "path" | "max" | "windowMs" | "unit";

const rateRules = {
  path: (value: string) => (isRulePath(value) ? null : common.pathWrong),
  max: (value: string) => wholeNumberComplaint(value, [1, 100_000]),
  windowMs: (value: string, { unit }: Record<RateName, string>) =>
    toWindowMs(value, unit) === null ? common.windowWrong : null,
  unit: isFine,
};

/** Rate rules that the draft adds. */
const DraftRates = ({ form, onChange }: DraftProps) => {
  const { rates } = form;
  const { formProps, errors } = useForm({
    rules: rateRules,
    send: async ({ path, max, windowMs, unit }) => {
      const rule = {
        ...{ title: texts.rateTitle(path.trim()), method: "*", path: path.trim(), key: "ip" as const },
        ...{ roles: ["visitor" as const, "user" as const], action: "block" as const, isOn: true },
        ...{ max: Number(max), windowMs: toWindowMs(windowMs, unit) ?? 0 },
      };
      onChange({ rates: [...rates.filter((other) => other.path !== rule.path), rule] });
    },
    explain: saveFailure,
  });
  return (
    <section aria-label={texts.rates} className="grid grid-cols-1 gap-3">
      <h3 className="font-medium text-sm">
        {texts.rates} <span className="font-normal text-muted-foreground">· {texts.ratesHint}</span>
      </h3>
      <DraftItems
        items={rates.map(({ path = "", max = 0, windowMs = 0 }) => ({
          name: path,
          detail: common.limit(formatCount(max), windowText(windowMs)),
        }))}
        onRemove={(index) => onChange({ rates: rates.toSpliced(index, 1) })}
      />
      <form {...formProps} className="grid grid-cols-1 gap-3">
        <TextField label={common.path} error={errors.path} name="path" isCode defaultValue="/api/*" />
        <WindowFields errors={errors} max={60} amount={1} unit="minute" />
        <Button type="submit" variant="outline" size="sm" className="justify-self-start">
          {texts.addToDraft}
        </Button>
      </form>
    </section>
  );
};

type DraftItemsProps = { items: { name: string; detail: string }[]; onRemove: (index: number) => void };

/** What was added to a part of the draft, each to be taken out again. */
const DraftItems = ({ items, onRemove }: DraftItemsProps) =>
  items.length > 0 && (
    <ul className="divide-y divide-border rounded-md border border-border">
      {items.map(({ name, detail }, index) => (
        <li key={`${name} ${detail}`} className="flex items-center gap-3 py-0.5 pr-1 pl-3 text-[0.8125rem]">
          <span className="wrap-anywhere min-w-0 grow font-mono">{name}</span>
          <span className="text-muted-foreground">{detail}</span>
          <button
            type="button"
            aria-label={texts.takeOut(name)}
            title={texts.takeOut(name)}
            onClick={() => onRemove(index)}
            className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring md:size-8"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
