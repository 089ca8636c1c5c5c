import type { ReactNode } from "react";
import { emailComplaint } from "#contract/account-rules.ts";
import {
  type FeatureField,
  type FeatureFields,
  type FieldValues,
  fieldComplaints,
  fieldLengths,
  isWebAddress,
  namesOf,
} from "#contract/define-feature.ts";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import type { FormErrors, FormRules } from "#ui/components/ui/use-form.ts";

type Values = { readonly [name: string]: unknown };

type FieldInputsProps<F extends FeatureFields> = {
  fields: F;
  /** What is in them at first; `null` for a new one. */
  values: Values | null;
  errors: FormErrors<keyof F & string>;
};

/** The inputs of fields, in a form that `fieldRules` checks. */
export const FieldInputs = <F extends FeatureFields>({ fields, values, errors }: FieldInputsProps<F>) =>
  namesOf(fields).map((name) => (
    <FieldInput key={name} name={name} field={fields[name]} value={values?.[name]} error={errors[name]} />
  ));

type FieldInputProps = {
  name: string;
  field: FeatureField | undefined;
  value: unknown;
  error: string | undefined;
};

const FieldInput = ({ name, field, value, error }: FieldInputProps): ReactNode => {
  if (field === undefined) return null;
  if (field.kind === "boolean")
    return <Checkbox name={name} label={field.label} defaultChecked={value === true} />;
  const props = { name, defaultValue: String(value ?? ""), required: field.isRequired === true };
  return (
    <Field label={field.label} error={error}>
      {controlOf(field, props)}
    </Field>
  );
};

const controlOf = (
  field: FeatureField,
  props: { name: string; defaultValue: string; required: boolean },
): ReactNode => {
  if (field.kind === "long") return <Textarea rows={4} maxLength={fieldLengths.long} {...props} />;
  if (field.kind === "choice")
    return (
      <Select {...props}>
        <option value="">{field.isRequired ? "Choose…" : "None"}</option>
        {Object.entries(field.options).map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </Select>
    );
  return <Input {...inputs[field.kind]} {...props} />;
};

const inputs = {
  text: { maxLength: fieldLengths.text },
  number: { inputMode: "decimal" },
  date: { type: "date" },
  email: { type: "email", maxLength: fieldLengths.email },
  url: { type: "url", maxLength: fieldLengths.url, placeholder: "https://" },
  boolean: {},
} as const;

/** The rules of a form with `FieldInputs`. */
export const fieldRules = <F extends FeatureFields>(fields: F): FormRules<keyof F & string> => {
  const rules = namesOf(fields).map((name) => {
    const field = fields[name];
    return [name, (typed: string) => (field === undefined ? null : complaintAbout(field, typed.trim()))];
  });
  // One for each name.
  return Object.fromEntries(rules) as FormRules<keyof F & string>;
};

const complaintAbout = ({ kind, isRequired }: FeatureField, typed: string): string | null => {
  const isRight = typed === "" ? isRequired !== true : (checks[kind]?.(typed) ?? true);
  return isRight || kind === "boolean" ? null : fieldComplaints[kind];
};

const checks: { readonly [Kind in FeatureField["kind"]]?: (typed: string) => boolean } = {
  number: (typed) => Number.isFinite(Number(typed)),
  email: (typed) => emailComplaint(typed) === null,
  url: isWebAddress,
};

/** What was typed into `FieldInputs`, as operations take it. */
export const typedValues = <F extends FeatureFields>(
  fields: F,
  typed: { readonly [Name in keyof F]: string },
): FieldValues<F> => {
  const values = namesOf(fields).map((name) => [name, valueTyped(fields[name]?.kind, typed[name].trim())]);
  // Each is of its field's kind.
  return Object.fromEntries(values) as FieldValues<F>;
};

const valueTyped = (kind: FeatureField["kind"] | undefined, typed: string) => {
  if (kind === "boolean") return typed !== "";
  if (typed === "") return null;
  return kind === "number" ? Number(typed) : typed;
};

/** The value of a field as people read it; nothing for an empty one. */
export const FieldValue = ({ field, value }: { field: FeatureField; value: unknown }): ReactNode => {
  if (value === null || value === undefined) return null;
  if (field.kind === "boolean") return value === true ? "Yes" : "No";
  if (field.kind === "number") return new Intl.NumberFormat().format(Number(value));
  const text = String(value);
  if (field.kind === "choice") return Object.hasOwn(field.options, text) ? field.options[text] : text;
  if (field.kind === "long") return <span className="whitespace-pre-wrap">{text}</span>;
  const href = field.kind === "email" ? `mailto:${text}` : text;
  if (field.kind === "email" || (field.kind === "url" && isWebAddress(text)))
    return (
      <a href={href} rel="noreferrer" className="text-primary underline underline-offset-4">
        {text}
      </a>
    );
  return text;
};

/** Fields with their values, the empty ones left out. */
export const FieldFacts = ({ fields, values }: { fields: FeatureFields; values: Values }) => (
  <dl className="grid gap-4">
    {Object.entries(fields).map(
      ([name, field]) =>
        values[name] !== null && (
          <div key={name} className="grid gap-1">
            <dt className="text-muted-foreground text-sm">{field.label}</dt>
            <dd className="wrap-anywhere text-sm">
              <FieldValue field={field} value={values[name]} />
            </dd>
          </div>
        ),
    )}
  </dl>
);
