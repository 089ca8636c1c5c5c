import { Button, Field, formatCount, Input, Select, useForm } from "@atrium/plugin-sdk/ui";
import { saveFailure } from "../calls.ts";
import { isRulePath } from "../parts/path-complaint.ts";
import { wholeNumberComplaint } from "../parts/whole-number.ts";
import { toWindowMs, windowText, windowUnits } from "../rates/rate-window.ts";
import { replayTexts as texts } from "../rule-texts.ts";
import { DraftItems } from "./draft-items.tsx";
import type { DraftProps } from "./draft-strictness.tsx";

type Name = "path" | "max" | "windowMs" | "unit";

const rules = {
  path: (value: string) => (isRulePath(value) ? null : texts.pathWrong),
  max: (value: string) => wholeNumberComplaint(value, [1, 100_000]),
  windowMs: (value: string, { unit }: Record<Name, string>) =>
    toWindowMs(value, unit) === null ? texts.windowWrong : null,
  unit: () => null,
};

/** Rate rules that the draft adds. */
export const DraftRates = ({ form, onChange }: DraftProps) => {
  const { rates } = form;
  const { formProps, errors } = useForm({
    rules,
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
          detail: texts.limit(formatCount(max), windowText(windowMs)),
        }))}
        onRemove={(index) => onChange({ rates: rates.toSpliced(index, 1) })}
      />
      <form {...formProps} className="grid grid-cols-[1fr_1fr_8rem] items-start gap-3">
        <Field label={texts.path} error={errors.path} className="col-span-3">
          <Input
            name="path"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue="/api/*"
            className="font-mono"
          />
        </Field>
        <Field label={texts.max} error={errors.max}>
          <Input name="max" inputMode="numeric" autoComplete="off" defaultValue={60} />
        </Field>
        <Field label={texts.within} error={errors.windowMs}>
          <Input name="windowMs" inputMode="numeric" autoComplete="off" defaultValue={1} />
        </Field>
        <Field label={texts.unit}>
          <Select name="unit" defaultValue="minute">
            {windowUnits.map((unit) => (
              <option key={unit} value={unit}>
                {texts.units[unit]}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" variant="outline" size="sm" className="col-span-3 justify-self-start">
          {texts.addAddress}
        </Button>
      </form>
    </section>
  );
};
