import { Field, Input, Select } from "@atrium/plugin-sdk/ui";
import { paranoiaLevels } from "../parts/level-choice.tsx";
import { replayTexts as texts } from "../rule-texts.ts";
import { overviewTexts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import type { ReplayForm } from "./replay-form.ts";

/** What the parts of the draft get: the draft, and how to change it. */
export type DraftProps = { form: ReplayForm; onChange: (more: Partial<ReplayForm>) => void };

/** Paranoia level and threshold of the draft. */
export const DraftStrictness = ({ form, complaint, onChange }: DraftProps & { complaint: string | null }) => {
  const { config } = useFirewall();
  const { level, threshold } = form;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:max-w-2xl">
      <Field label={texts.level} hint={level === null ? undefined : overviewTexts.levels[level].text}>
        <Select
          value={level ?? ""}
          onChange={(event) =>
            onChange({
              level: paranoiaLevels.find((choice) => String(choice) === event.target.value) ?? null,
            })
          }
        >
          <option value="">{texts.asNow(overviewTexts.levels[config.paranoiaLevel].name)}</option>
          {paranoiaLevels.map((choice) => (
            <option key={choice} value={choice}>
              {overviewTexts.levels[choice].name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={texts.threshold} hint={texts.thresholdHint(String(config.threshold))} error={complaint}>
        <Input
          inputMode="numeric"
          autoComplete="off"
          value={threshold}
          placeholder={String(config.threshold)}
          onChange={(event) => onChange({ threshold: event.target.value })}
        />
      </Field>
    </div>
  );
};
