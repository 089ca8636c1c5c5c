import type { Complaint } from "#contract/account-rules.ts";
import { Field } from "./ui/field.tsx";
import { Input } from "./ui/input.tsx";

type CodeFieldProps = { error: string | undefined };

/** A code of the authenticator app, named `code`; browsers and password managers can fill it in. */
export const CodeField = ({ error }: CodeFieldProps) => (
  <Field label={codeTexts.label} error={error} hint={codeTexts.hint}>
    <Input name="code" autoComplete="one-time-code" inputMode="numeric" required autoFocus />
  </Field>
);

/** What is wrong with a code before the server has seen it. */
export const codeComplaint = (code: string): Complaint => (code.trim() === "" ? codeTexts.missing : null);

/** Words of the field. */
export const codeTexts = {
  label: "Authentication code",
  hint: "Enter the six digits that your authenticator app shows.",
  missing: "Please enter a code",
} as const;
