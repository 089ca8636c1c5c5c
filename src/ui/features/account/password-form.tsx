import type { PasswordOwner } from "#contract/password-strength.ts";
import { NewPasswordField } from "#ui/components/new-password-field.tsx";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { changePassword } from "./api.ts";
import { passwordRules } from "./password-rules.ts";
import { accountScreenTexts as texts } from "./texts.ts";
import { UsernameHint } from "./username-hint.tsx";

type PasswordFormProps = { owner: PasswordOwner; onDone: (message: string) => void };

/** The current password, the new one with its strength, and the new one again. */
export const PasswordForm = ({ owner, onDone }: PasswordFormProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: passwordRules,
    send: async ({ currentPassword, newPassword }) =>
      onDone(await changePassword({ currentPassword, newPassword })),
    explain: (error) => failureText(error, texts.passwordFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
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
        <Button type="submit" isBusy={isBusy} className="sm:justify-self-start">
          {texts.changePassword}
        </Button>
      </fieldset>
    </form>
  );
};
