import type { UserDetail } from "#api/modules/users/contract.ts";
import { emailKey } from "#contract/account-rules.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { userTexts as texts } from "./texts.ts";

type DeleteUserDialogProps = {
  user: UserDetail;
  isOwn: boolean;
  onClose: () => void;
  onDeleted: () => void;
};

/** Names what is lost and wants the address typed, so that nobody is deleted by accident. */
export const DeleteUserDialog = ({ user, isOwn, onClose, onDeleted }: DeleteUserDialogProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: {
      email: (typed) => (emailKey(typed) === emailKey(user.email) ? null : texts.deleteMismatch),
    },
    send: async () => {
      const { message } = await client.users.remove({ user: user.id });
      notify({ tone: "success", message });
      onDeleted();
    },
    explain: (error) => failureText(error, texts.deleteFailed),
  });
  const question = texts.deleteQuestion(user.name);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.deleteTitle}
      description={isOwn ? `${question} ${texts.own}` : question}
    >
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.deleteType} hint={user.email} error={errors.email}>
            <Input
              name="email"
              type="text"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              required
              autoFocus
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
