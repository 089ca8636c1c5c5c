import { useLocation } from "wouter";
import type { Account } from "#api/modules/account/contract.ts";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { forgetUser } from "#ui/lib/session.ts";
import { deleteAccount } from "./api.ts";
import { deleteRules } from "./delete-rules.ts";
import { accountScreenTexts as texts } from "./texts.ts";
import { UsernameHint } from "./username-hint.tsx";

type DeleteDialogProps = { account: Account; onClose: () => void };

/** Names what is lost, and wants the address typed and the password, so that nobody deletes an account by accident. */
export const DeleteDialog = ({ account, onClose }: DeleteDialogProps) => {
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
