import { useEffect, useRef, useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { passwordComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { PasswordOwner } from "#contract/password-strength.ts";
import { Form } from "#ui/components/form.tsx";
import { NewPasswordField, PasswordField, UsernameHint } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { useAct } from "#ui/lib/use-act.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart } from "./account-card.tsx";

import { accountScreenTexts as texts } from "./texts.ts";

type PasswordCardProps = { name: string; account: Loaded<Account> };

/** Changes the password, or has a link emailed that sets the first one. */
export const PasswordCard = ({ name, account }: PasswordCardProps) => {
  const [done, setDone] = useState<{ count: number; message: string }>({ count: 0, message: "" });
  const message = useRef<HTMLDivElement>(null);
  // The form starts over, so the focus goes to what has come of it.
  useEffect(() => {
    if (done.count > 0) message.current?.focus();
  }, [done.count]);
  const finish = (text: string) => setDone(({ count }) => ({ count: count + 1, message: text }));
  return (
    <AccountCard title={texts.password} lead={texts.passwordLead}>
      <LoadedPart loaded={account} skeleton={<FormSkeleton />}>
        {({ hasPassword, user: { email } }) =>
          hasPassword ? (
            <div className="grid gap-5">
              {done.count > 0 && (
                <div ref={message} tabIndex={-1} className="rounded-md">
                  <Alert>{done.message}</Alert>
                </div>
              )}
              <PasswordForm key={done.count} owner={{ name, email }} onDone={finish} />
            </div>
          ) : (
            <NoPassword email={email} />
          )
        }
      </LoadedPart>
    </AccountCard>
  );
};

const FormSkeleton = () => (
  <div className="grid gap-5">
    <FieldSkeleton />
    <FieldSkeleton />
    {/* The hint takes two lines where there is little room. */}
    <Skeleton className="-mt-2 h-[3.0625rem] min-[27rem]:h-7.5" />
    <FieldSkeleton />
    <Skeleton className="h-11 md:h-9" />
  </div>
);

const FieldSkeleton = () => (
  <div className="grid gap-2">
    <Skeleton className="h-5 w-32" />
    <Skeleton className="h-11 md:h-9" />
  </div>
);

type PasswordFormProps = { owner: PasswordOwner; onDone: (message: string) => void };

/** The current password, the new one with its strength, and the new one again. */
const PasswordForm = ({ owner, onDone }: PasswordFormProps) => {
  const { errors, ...form } = useForm({
    rules: passwordRules,
    send: async ({ currentPassword, newPassword }) =>
      onDone((await client.account.changePassword({ currentPassword, newPassword })).message),
    explain: (error) => failureText(error, texts.passwordFailed),
  });
  return (
    <Form form={form} action={texts.changePassword}>
      <UsernameHint email={owner.email} />
      <PasswordField
        label={texts.currentPassword}
        name="currentPassword"
        autoComplete="current-password"
        error={errors.currentPassword}
      />
      <NewPasswordField
        label={texts.newPassword}
        name="newPassword"
        error={errors.newPassword}
        owner={owner}
      />
      <PasswordField
        label={texts.confirmPassword}
        name="confirmPassword"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
    </Form>
  );
};

/** The fields of a change of password. */
type PasswordFieldName = "currentPassword" | "newPassword" | "confirmPassword";

/** What they must be; whether the current one is right only the server knows. */
const passwordRules: FormRules<PasswordFieldName> = {
  currentPassword: (value) => (value === "" ? pageAuthTexts.passwordRequired : null),
  newPassword: passwordComplaint,
  confirmPassword: (value, { newPassword }) => (value === newPassword ? null : pageAuthTexts.passwordsDiffer),
};

/** For users who sign in through a provider only: has a link emailed that sets a password. */
const NoPassword = ({ email }: { email: string }) => {
  const [sent, setSent] = useState<string | null>(null);
  const { act, isBusy, error } = useAct(async () =>
    setSent((await client.auth.forgotPassword({ email })).message),
  );
  return (
    <div className="grid gap-4">
      <p className="wrap-anywhere text-sm">{texts.noPassword(email)}</p>
      {error !== null && <Alert severity="error">{failureText(error, pageAuthTexts.resetMailFailed)}</Alert>}
      {error === null && sent !== null && <Alert>{sent}</Alert>}
      <Button variant="outline" isBusy={isBusy} onClick={act} className="sm:justify-self-start">
        {texts.mailLink}
      </Button>
    </div>
  );
};
