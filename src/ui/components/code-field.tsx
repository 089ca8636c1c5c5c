import { useEffect, useRef } from "react";
import type { Complaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { Field } from "./ui/field.tsx";
import { Input } from "./ui/input.tsx";

type CodeFieldProps = { error: string | undefined };

/** A code of the authenticator app, named `code`, which has the focus; browsers and password managers can fill it in. */
export const CodeField = ({ error }: CodeFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  // Not `autoFocus`: a dialog opens after that, and gives the focus to its first control.
  useEffect(() => input.current?.focus(), []);
  return (
    <Field label={codeTexts.label} error={error} hint={codeTexts.hint}>
      <Input ref={input} name="code" autoComplete="one-time-code" inputMode="numeric" required />
    </Field>
  );
};

/** What is wrong with a code of the app before the server has seen it: a slip of the finger is no wrong code. */
export const codeComplaint = (code: string): Complaint => {
  if (code.trim() === "") return pageAuthTexts.codeRequired;
  return /^\d{6}$/.test(code.replace(/[\s-]/g, "")) ? null : pageAuthTexts.codeDigits;
};

/** Words of the field. */
export const codeTexts = {
  label: "Authentication code",
  hint: "Enter the six digits that your authenticator app shows.",
} as const;
