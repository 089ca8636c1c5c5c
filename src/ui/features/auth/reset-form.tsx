import { useState } from "react";
import { Link } from "wouter";
import { passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { type WayIn, wayInAge, wayInName } from "#contract/users.ts";
import { NewPasswordField } from "#ui/components/new-password-field.tsx";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import type { FormRules } from "#ui/components/ui/form-rules.ts";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { type ResetDone, resetPassword } from "./api.ts";
import { authScreenTexts as texts } from "./texts.ts";

const rules: FormRules<"password" | "confirmPassword"> = {
  password: passwordComplaint,
  confirmPassword: (value, { password }) => (value === password ? null : pageAuthTexts.passwordsDiffer),
};

type ResetFormProps = {
  /** `undefined` before the page is live, `null` when the address holds none. */
  token: string | null | undefined;
  /** `null` while they are not known: then all that are newer are removed. */
  waysIn: readonly WayIn[] | null;
  onDone: (done: ResetDone) => void;
};

/** The new password, typed twice. A link that cannot work is complained of with the way to a new one. */
export const ResetForm = ({ token, waysIn, onDone }: ResetFormProps) => {
  const [kept, setKept] = useState<readonly string[]>([]);
  const keep = (id: string, isKept: boolean) =>
    setKept((ids) => (isKept ? [...ids, id] : ids.filter((other) => other !== id)));
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ password }) => {
      // The complaint stands above the form already.
      if (typeof token !== "string") return;
      onDone(await resetPassword({ token, password, keep: [...kept] }));
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
        <NewPasswordField label={texts.newPassword} name="password" error={errors.password} />
        <PasswordField
          label={texts.confirmNewPassword}
          name="confirmPassword"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        {waysIn !== null && waysIn.length > 0 && <WaysIn ways={waysIn} kept={kept} onKeep={keep} />}
        <Button type="submit" size="lg" isBusy={isBusy}>
          {texts.resetPassword}
        </Button>
      </fieldset>
    </form>
  );
};

type WaysInProps = {
  ways: readonly WayIn[];
  kept: readonly string[];
  onKeep: (id: string, isKept: boolean) => void;
};

/** What else opens the account. What was added since its owner last followed a mailed link goes unless they keep it. */
const WaysIn = ({ ways, kept, onKeep }: WaysInProps) => {
  const newer = ways.filter(({ isNewer }) => isNewer);
  const older = ways.filter(({ isNewer }) => !isNewer);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium text-sm">{texts.waysIn}</legend>
      {newer.length > 0 && <p className="text-muted-foreground text-sm">{texts.waysInNewer}</p>}
      {newer.map((way) => (
        <Checkbox
          key={way.id}
          label={texts.removeWay(wayInName(way))}
          hint={ageOf(way)}
          checked={!kept.includes(way.id)}
          onChange={({ target }) => onKeep(way.id, !target.checked)}
        />
      ))}
      {older.length > 0 && <p className="text-muted-foreground text-sm">{texts.waysInOlder}</p>}
      {older.length > 0 && (
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          {older.map((way) => (
            <li key={way.id}>
              {wayInName(way)} <span className="text-muted-foreground">({ageOf(way)})</span>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
};

const ageOf = (way: WayIn): string => wayInAge(way, Date.now()) ?? texts.wayOfUnknownAge;

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
