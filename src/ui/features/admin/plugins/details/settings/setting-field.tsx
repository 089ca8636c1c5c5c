import { useId } from "react";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Label } from "#ui/components/ui/label.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { settingsTabTexts as texts } from "../texts.ts";
import { defaultWhenEmpty, type FormDraft } from "./form-draft.ts";
import type { FormErrors } from "./form-errors.ts";
import type { FormField } from "./form-fields.ts";

/** What fields need of their form. */
export type FormState = {
  draft: FormDraft;
  errors: FormErrors;
  secrets: Record<string, boolean>;
  set: (path: string, entry: FormDraft[string]) => void;
};

type SettingFieldProps = { field: FormField; form: FormState };

/** One setting, drawn as its schema says. */
export const SettingField = ({ field, form }: SettingFieldProps) => {
  switch (field.kind) {
    case "group":
      return <Group field={field} form={form} />;
    case "switch":
      return <SwitchRow field={field} form={form} />;
    case "secret":
      return <Secret field={field} form={form} />;
    default:
      return <TextLike field={field} form={form} />;
  }
};

const Group = ({ field, form }: SettingFieldProps) => (
  <fieldset className="grid min-w-0 gap-4 rounded-md border border-border p-4">
    <legend className="px-1 font-medium text-sm">{field.label}</legend>
    {field.schema.description !== undefined && (
      <p className="text-[0.8125rem] text-muted-foreground">{field.schema.description}</p>
    )}
    {field.fields.map((inner) => (
      <SettingField key={inner.path} field={inner} form={form} />
    ))}
  </fieldset>
);

const SwitchRow = ({ field: { path, label, schema }, form }: SettingFieldProps) => {
  const id = useId();
  const hasHint = schema.description !== undefined || form.errors[path] !== undefined;
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid min-w-0 gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        {hasHint && (
          <div id={`${id}-hint`} className="wrap-anywhere text-[0.8125rem] text-muted-foreground leading-5">
            {schema.description}
            {form.errors[path] !== undefined && <p className="text-destructive">{form.errors[path]}</p>}
          </div>
        )}
      </div>
      <Switch
        id={id}
        aria-describedby={hasHint ? `${id}-hint` : undefined}
        checked={form.draft[path] === true}
        onCheckedChange={(isOn) => form.set(path, isOn)}
      />
    </div>
  );
};

const Secret = ({ field: { path, label, schema }, form }: SettingFieldProps) => {
  const entry = form.draft[path];
  const isStored = form.secrets[path] === true;
  const isRemoved = entry === null;
  return (
    <Field
      label={label}
      hint={schema.description}
      error={form.errors[path]}
      aside={
        isStored && (
          <button
            type="button"
            onClick={() => form.set(path, isRemoved ? "" : null)}
            className="-my-3 cursor-pointer rounded-sm py-3 text-[0.8125rem] text-primary underline underline-offset-4 outline-none focus-visible:ring-2 focus-visible:ring-ring md:-my-0.5 md:py-0.5"
          >
            {isRemoved ? texts.keep : texts.remove}
            <span className="sr-only"> {label}</span>
          </button>
        )
      }
    >
      <Input
        {...plain}
        name={path}
        type="password"
        // Else browsers offer the password of the account, which is no secret of a plugin.
        autoComplete="new-password"
        disabled={isRemoved}
        placeholder={isRemoved ? texts.removed : isStoredHint(isStored, schema["x-placeholder"])}
        value={typeof entry === "string" ? entry : ""}
        onChange={({ target }) => form.set(path, target.value)}
      />
    </Field>
  );
};

const isStoredHint = (isStored: boolean, placeholder: string | undefined) =>
  isStored ? texts.stored : placeholder;

const plain = { autoComplete: "off", autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

const TextLike = ({ field, form }: SettingFieldProps) => {
  const { path, label, schema, kind } = field;
  const fallback = defaultWhenEmpty(field, form.draft);
  const hint = [
    schema.description,
    kind === "list" ? texts.listHint : undefined,
    fallback === undefined ? undefined : texts.emptyHint(String(fallback)),
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <Field label={label} hint={hint === "" ? undefined : hint} error={form.errors[path]}>
      <Control field={field} form={form} />
    </Field>
  );
};

const Control = ({ field: { path, schema, kind }, form }: SettingFieldProps) => {
  const props = {
    ...plain,
    name: path,
    placeholder: schema["x-placeholder"],
    value: String(form.draft[path] ?? ""),
    onChange: ({ target }: { target: { value: string } }) => form.set(path, target.value),
  };
  if (kind === "choice") {
    return (
      <Select name={path} value={props.value} onChange={props.onChange}>
        {/* Something is always chosen where there is a default. */}
        {(schema.default === undefined || props.value === "") && <option value="">–</option>}
        {schema.enum?.map((choice, index) => (
          <option key={String(choice)} value={index}>
            {String(choice)}
          </option>
        ))}
      </Select>
    );
  }
  if (kind === "multiline" || kind === "list") return <Textarea rows={4} {...props} />;
  return <Input {...props} inputMode={kind === "number" ? "decimal" : undefined} />;
};
