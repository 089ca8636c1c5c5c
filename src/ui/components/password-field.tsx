import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import {
  isPersonal,
  type PasswordOwner,
  passwordStrength,
  type StrengthTone,
} from "#contract/password-strength.ts";
import { cn } from "#ui/lib/cn.ts";
import { useIsCommonPassword } from "#ui/lib/common-passwords.ts";
import { Field } from "./ui/field.tsx";
import { RevealInput } from "./ui/reveal-input.tsx";
import { type FormErrors, type FormRules, readValues } from "./ui/use-form.ts";

type PasswordFieldProps = {
  label: string;
  name: string;
  autoComplete: "current-password" | "new-password";
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Adds the button that shows what was typed. */
  canReveal?: boolean;
};

/** A password, hidden unless revealed; pasting and password managers work. */
export const PasswordField = ({ label, error, hint, canReveal = false, ...input }: PasswordFieldProps) => (
  <Field label={label} error={error} hint={hint}>
    <RevealInput
      {...input}
      words={canReveal ? { show: "Show password", hide: "Hide password" } : undefined}
      required
    />
  </Field>
);

type NewPasswordFieldProps = {
  label: string;
  name: string;
  error: string | null | undefined;
  /** What is known of the account; what is not is read from the form's fields `name` and `email`, if it has them. */
  owner?: Partial<PasswordOwner>;
};

/** A password that is being chosen, which can be shown, and how strong it is. */
export const NewPasswordField = ({ owner, ...field }: NewPasswordFieldProps) => {
  const meter = useRef<HTMLDivElement>(null);
  const typed = useTyped(meter, field.name);
  return (
    <>
      <PasswordField {...field} autoComplete="new-password" canReveal />
      <div ref={meter} className="-mt-2 grid gap-1.5">
        <StrengthMeter password={typed.password} owner={{ ...typed, ...owner }} error={field.error} />
      </div>
    </>
  );
};

/** What a new password and its repetition must be. */
export const newPasswordRules: FormRules<"password" | "confirmPassword"> = {
  password: passwordComplaint,
  confirmPassword: (value, { password }) => (value === password ? null : pageAuthTexts.passwordsDiffer),
};

type NewPasswordFieldsProps = {
  /** Of the password and of its repetition. */
  labels: readonly [string, string];
  errors: FormErrors<"password" | "confirmPassword">;
  owner?: Partial<PasswordOwner>;
};

/** A password that is being chosen, and the same again: the fields `password` and `confirmPassword`. */
export const NewPasswordFields = ({ labels, errors, ...field }: NewPasswordFieldsProps) => (
  <>
    <NewPasswordField label={labels[0]} name="password" error={errors.password} {...field} />
    <PasswordField
      label={labels[1]}
      name="confirmPassword"
      autoComplete="new-password"
      error={errors.confirmPassword}
    />
  </>
);

/** Tells password managers whose password a form is about; no one sees it. */
export const UsernameHint = ({ email }: { email: string }) => (
  <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
);

/** What is in the fields of the form around `inside`, as in `useForm` those of before the page was live included. */
const useTyped = (inside: RefObject<HTMLElement | null>, passwordName: string) => {
  const [typed, setTyped] = useState({ password: "", name: "", email: "" });
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (!form) return;
    const read = () => {
      const values = readValues([passwordName, "name", "email"], new FormData(form));
      setTyped({ password: values[passwordName] ?? "", name: values.name ?? "", email: values.email ?? "" });
    };
    read();
    form.addEventListener("input", read);
    return () => form.removeEventListener("input", read);
  }, [inside, passwordName]);
  return typed;
};

type StrengthMeterProps = {
  password: string;
  owner: PasswordOwner;
  error: string | null | undefined;
};

/**
 * Five bars and a word for a new password's strength; empty bars until something is typed. The word counts kinds of
 * characters; a password which the server refuses is the weakest, and the reason stands beside it, unless the field
 * gives it already.
 */
const StrengthMeter = ({ password, owner, error }: StrengthMeterProps) => {
  const isCommon = useIsCommonPassword(password);
  const isBreached = useIsBreached(password, error);
  const refusal = isBreached ? pageAuthTexts.passwordBreached : refusalOf(password, owner, isCommon);
  const { score, label, tone } = passwordStrength(password, refusal === null ? isCommon : true);
  const isEmpty = password === "";
  // The weakest password still shows one bar, so that the color can be seen.
  const filled = isEmpty ? 0 : Math.max(score, 1);
  return (
    <>
      {/* Bars that take the theme's colors, and the real meter for those who do not see them. */}
      <meter className="sr-only" aria-label="Password strength" min={0} max={5} value={score} />
      <div aria-hidden="true" className="grid grid-cols-5 gap-1">
        {[1, 2, 3, 4, 5].map((bar) => (
          <span
            key={bar}
            className={cn(
              "h-1 rounded-full transition-colors duration-150",
              bar <= filled ? fills[tone] : "bg-border",
            )}
          />
        ))}
      </div>
      <div aria-live="polite" className="min-h-5 text-[0.8125rem]">
        <p className="text-muted-foreground">
          {isEmpty
            ? "At least 8 characters. A few unrelated words make a good one."
            : `Password strength: ${label}`}
        </p>
        {refusal !== null && refusal !== error && <p className="text-destructive">{refusal}</p>}
      </div>
    </>
  );
};

/** Whether the server has just refused this very password as one of a data breach, which only it can know. */
const useIsBreached = (password: string, error: string | null | undefined): boolean => {
  const [known, setKnown] = useState({ error, breached: "" });
  if (error !== known.error)
    setKnown({ error, breached: error === pageAuthTexts.passwordBreached ? password : known.breached });
  return password !== "" && password === known.breached;
};

/** What the server will say of a password, besides its length. */
const refusalOf = (password: string, owner: PasswordOwner, isCommon: boolean | null): string | null => {
  if (isCommon === true) return pageAuthTexts.passwordCommon;
  // The beginning of a long one may well be a name.
  if (passwordComplaint(password) !== null) return null;
  return isPersonal(password, owner) ? pageAuthTexts.passwordPersonal : null;
};

// The text-safe warning color is too dark to read as orange in a bar, the second chart color is not.
const fills: Record<StrengthTone, string> = {
  destructive: "bg-destructive",
  warning: "bg-chart-2",
  success: "bg-success",
};
