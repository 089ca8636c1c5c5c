import type { ComponentProps, ReactNode } from "react";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import type { TextPath } from "./draft.ts";
import type { SettingsForm } from "./use-settings-form.ts";

type TextFieldProps = Pick<ComponentProps<"input">, "inputMode" | "placeholder"> & {
  form: SettingsForm;
  path: TextPath;
  label: string;
  hint?: ReactNode;
};

/** A setting that is a text. */
export const TextField = ({ form, path, label, hint, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} error={form.errors[path]}>
    <Input
      {...input}
      name={path}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      value={form.draft[path]}
      onChange={({ target }) => form.set(path, target.value)}
    />
  </Field>
);
