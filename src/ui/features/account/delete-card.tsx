import { useId, useState } from "react";
import { useLocation } from "wouter";
import type { Account } from "#api/modules/account/contract.ts";
import { type Complaint, emailKey } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { forgetUser } from "#ui/lib/session.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart } from "./account-card.tsx";
import { deleteAccount } from "./api.ts";
import { accountScreenTexts as texts } from "./texts.ts";
import { UsernameHint } from "./username-hint.tsx";

/** Deletes the account permanently; the last administrator sees why not. */
export const DeleteCard = ({ account }: { account: Loaded<Account> }) => (
  <AccountCard title={texts.delete} lead={texts.deleteLead} isDanger>
    <LoadedPart loaded={account} skeleton={<Skeleton className="h-11 sm:w-40 md:h-9" />}>
      {(data) => <DeleteButton account={data} />}
    </LoadedPart>
  </AccountCard>
);

const DeleteButton = ({ account }: { account: Account }) => {
  const [isAsked, setIsAsked] = useState(false);
  const reasonId = useId();
  const { isLastAdmin } = account;
  return (
    <div className="grid gap-3">
      {isLastAdmin && (
        <p id={reasonId} className="text-sm">
          {texts.lastAdmin}
        </p>
      )}
      <Button
        variant="destructive"
        disabled={isLastAdmin}
        aria-describedby={isLastAdmin ? reasonId : undefined}
        onClick={() => setIsAsked(true)}
        className="sm:justify-self-start"
      >
        {texts.deleteOpen}
      </Button>
      {isAsked && <DeleteDialog account={account} onClose={() => setIsAsked(false)} />}
    </div>
  );
};

type DeleteDialogProps = { account: Account; onClose: () => void };

/** Names what is lost, and wants the address typed and the password, so that no one deletes an account by accident. */
const DeleteDialog = ({ account, onClose }: DeleteDialogProps) => {
  const { user, hasPassword } = account;
  const [, navigate] = useLocation();
  const { formProps, errors, problem, isBusy } = useForm({
    rules: deleteRules(account),
    send: async ({ password }) => {
      const message = await deleteAccount(hasPassword ? password : null);
      // First away from the guarded page: without a user its guard would lead to the sign-in page instead.
      navigate("/");
      forgetUser();
      notify({ tone: "success", message });
    },
    explain: (error) => failureText(error, texts.deleteFailed),
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.deleteTitle} description={texts.deleteLead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <div className="grid gap-1.5 text-sm">
            <p>{texts.youLose}</p>
            <ul className="grid list-disc gap-1 pl-5">
              {texts.lost(hasPassword).map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
            <p>{texts.messagesStay}</p>
          </div>
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <UsernameHint email={user.email} />
          {hasPassword && (
            <PasswordField
              label={texts.yourPassword}
              name="password"
              autoComplete="current-password"
              error={errors.password}
            />
          )}
          <Field label={texts.typeEmail} hint={user.email} error={errors.email}>
            <Input
              name="email"
              type="text"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              required
            />
          </Field>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" variant="destructive" isBusy={isBusy}>
              {texts.deleteConfirm}
            </Button>
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
};

/** What has to be typed before an account is deleted: its address, and its password where it has one. */
const deleteRules = ({
  user,
  hasPassword,
}: Pick<Account, "user" | "hasPassword">): FormRules<"password" | "email"> => ({
  password: (value) => (hasPassword && value === "" ? pageAuthTexts.passwordRequired : null),
  email: (value) => emailDiffers(value, user.email),
});

const emailDiffers = (typed: string, email: string): Complaint =>
  emailKey(typed) === emailKey(email) ? null : texts.emailDiffers;
