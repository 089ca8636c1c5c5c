import { durationLabel, hasLines, listIn, type Setting, typedOf } from "#contract/define-settings.ts";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";

type SettingControlProps = {
  path: string;
  setting: Setting;
  value: unknown;
  error: string | undefined;
  /** What stands below it in place of what is declared. */
  hint?: string | undefined;
};

/** The control of a setting in a form that keeps its own text, as its kind wants it. */
export const SettingControl = ({ path, setting, value, error, hint = setting.hint }: SettingControlProps) => {
  if (setting.kind === "switch")
    return <Checkbox name={path} label={setting.label} hint={hint} defaultChecked={value === true} />;
  const props = { name: path, defaultValue: typedOf(setting, value ?? "") };
  return (
    <Field label={setting.label} hint={hint} error={error}>
      {controlOf(setting, props)}
    </Field>
  );
};

const controlOf = (setting: Setting, props: { name: string; defaultValue: string }) => {
  if (isLong(setting)) return <Textarea rows={3} spellCheck={setting.kind === "text"} {...props} />;
  if (setting.kind === "secret") return <PlainInput type="password" autoComplete="new-password" {...props} />;
  const options = optionsOf(setting);
  if (options === null)
    return (
      <PlainInput {...props} placeholder={setting.kind === "endpoint" ? setting.placeholder : undefined} />
    );
  return <Select {...props} options={options} />;
};

/** Whether a setting takes more than one line. */
export const isLong = (setting: Setting): boolean =>
  hasLines(setting) || (setting.kind === "text" && setting.isLong === true);

/** The values of a setting that has few, with their names; `null` for the others. */
export const optionsOf = (setting: Setting): [value: string, label: string][] | null => {
  if (setting.kind === "choice") return Object.entries(setting.options);
  if (setting.kind !== "duration") return null;
  return setting.options.map((ms) => [String(ms), durationLabel(ms)]);
};

/** What was typed for a setting, as the API takes it. */
export const typedSetting = (setting: Setting, typed: string): unknown => {
  const { kind } = setting;
  if (kind === "switch") return typed !== "";
  if (kind === "integer" || kind === "duration") return typed.trim() === "" ? null : Number(typed);
  return kind === "list" ? listIn(typed, setting) : typed.trim();
};
