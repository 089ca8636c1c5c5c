import { useState } from "react";
import { Link } from "wouter";
import { passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { PasswordField } from "#ui/components/password-field.tsx";
import { StrengthMeter } from "#ui/components/strength-meter.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import type { FormRules } from "#ui/components/ui/form-rules.ts";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { resetPassword } from "./api.ts";
import { authScreenTexts as texts } from "./texts.ts";

const rules: FormRules<"password" | "confirmPassword"> = {
  password: passwordComplaint,
  confirmPassword: (value, { password }) => (value === password ? null : pageAuthTexts.passwordsDiffer),
};

type ResetFormProps = {
  /** `undefined` before the page is live, `null` when the address holds none. */
  token: string | null | undefined;
  /** Called with the address to sign in with. */
  onDone: (email: string) => void;
};

/** The new password, typed twice. A link that cannot work is complained of with the way to a new one. */
export const ResetForm = ({ token, onDone }: ResetFormProps) => {
  const [typed, setTyped] = useState("");
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ password }) => {
      // The complaint stands above the form already.
      if (typeof token !== "string") return;
      onDone(await resetPassword({ token, password }));
    },
    explain: (error) => failureText(error, pageAuthTexts.resetFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {/* Made ahead of time it stands in the page, and shows by the address alone. */}
        {typeof token !== "string" && (
          <UselessLink message={pageAuthTexts.resetTokenMissing} isByAddress={token === undefined} />
        )}
        {problem !== null && <ResetProblem message={problem.message} cause={problem.cause} />}
        <PasswordField
          label={texts.newPassword}
          name="password"
          autoComplete="new-password"
          error={errors.password}
          canReveal
          onType={setTyped}
        />
        <StrengthMeter password={typed} />
        <PasswordField
          label={texts.confirmNewPassword}
          name="confirmPassword"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        <Button type="submit" size="lg" isBusy={isBusy}>
          {texts.resetPassword}
        </Button>
      </fieldset>
    </form>
  );
};

const ResetProblem = ({ message, cause }: { message: string; cause: unknown }) => {
  // A server in trouble has not looked at the link: it may still be good.
  const isUndecided = cause instanceof ApiError && (cause.status === 0 || cause.status >= 500);
  return isUndecided ? <Alert severity="error">{message}</Alert> : <UselessLink message={message} />;
};

/**
 * Says that a reset link is of no use, and leads to a new one. `isByAddress`: made ahead of time, it shows only where the
 * address holds no token.
 */
export const UselessLink = ({ message, isByAddress = false }: { message: string; isByAddress?: boolean }) => (
  <Alert
    severity="error"
    title={message}
    className={isByAddress ? "hidden no-token:flex" : undefined}
    actions={
      <Link href="/forgot-password" className={buttonVariants({ variant: "outline", size: "sm" })}>
        {texts.newLink}
      </Link>
    }
  >
    {texts.resetRenew}
  </Alert>
);
