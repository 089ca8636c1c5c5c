import { type ReactNode, useId } from "react";
import { durationLabel, type Setting } from "#contract/define-settings.ts";
import { Field } from "#ui/components/ui/field.tsx";
import { Label } from "#ui/components/ui/label.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import {
  type DeclaredField,
  isLockedByFirewall,
  isSecretPath,
  isSwitchPath,
  type SwitchPath,
} from "./draft.ts";
import { SecretField } from "./secret-field.tsx";
import { TextField } from "./text-field.tsx";
import type { SettingsForm } from "./use-settings-form.ts";

type SettingFieldProps = {
  form: SettingsForm;
  field: DeclaredField;
  /** What stands below it in place of what is declared. */
  hint?: ReactNode;
  /** How a switch stands whatever was chosen, where somebody else decides. */
  forced?: boolean | undefined;
};

/** The row of a setting, as its kind wants it. */
export const SettingField = ({ form, field: { path, setting }, hint, forced }: SettingFieldProps) => {
  const words = { label: setting.label, hint: hint ?? setting.hint };
  if (isSwitchPath(path)) return <SwitchRow form={form} path={path} forced={forced} {...words} />;
  if (isSecretPath(path)) return <SecretField form={form} path={path} {...words} />;
  const options = optionsOf(setting);
  const isLong = setting.kind === "text" && setting.isLong === true;
  if (options === null && !isLong) {
    return <TextField form={form} path={path} {...inputOf(setting)} {...words} />;
  }
  const control = {
    name: path,
    value: form.draft[path],
    onChange: ({ target }: { target: { value: string } }) => form.set(path, target.value),
  };
  return (
    <Field {...words} error={form.errors[path]}>
      {options === null ? (
        <Textarea rows={2} className="min-h-16" {...control} />
      ) : (
        <Select {...control}>
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
};

type SwitchRowProps = Pick<SettingFieldProps, "form" | "hint" | "forced"> & {
  path: SwitchPath;
  label: string;
};

/** A setting that is on or off. While the firewall manages it, it shows what is in force and cannot be changed. */
const SwitchRow = ({ form, path, label, hint, forced }: SwitchRowProps) => {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 py-3.5">
      <div className="grid min-w-0 gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        <div id={`${id}-hint`} className="wrap-anywhere text-[0.8125rem] text-muted-foreground leading-5">
          {hint}
        </div>
        {form.errors[path] !== undefined && (
          <p role="alert" className="text-[0.8125rem] text-destructive">
            {form.errors[path]}
          </p>
        )}
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        disabled={form.isManaged && isLockedByFirewall(path)}
        checked={forced ?? form.draft[path]}
        onCheckedChange={(isOn) => form.set(path, isOn)}
      />
    </div>
  );
};

const inputOf = (setting: Setting): { inputMode?: "numeric" | "url"; placeholder?: string } => {
  if (setting.kind === "endpoint") return { inputMode: "url", placeholder: setting.placeholder };
  return setting.kind === "integer" ? { inputMode: "numeric" } : {};
};

const optionsOf = (setting: Setting): [value: string, label: string][] | null => {
  if (setting.kind === "choice") return Object.entries(setting.options);
  if (setting.kind !== "duration") return null;
  return setting.options.map((ms) => [String(ms), durationLabel(ms)]);
};
