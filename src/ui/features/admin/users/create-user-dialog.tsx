import { emailComplaint, nameComplaint, passwordComplaint } from "#contract/account-rules.ts";
import { roles } from "#contract/users.ts";
import { NewPasswordField } from "#ui/components/new-password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { oneOf } from "../list-filters.ts";
import { roleTexts } from "../texts.ts";
import { createTexts as texts, userTexts } from "./texts.ts";

const rules = {
  name: nameComplaint,
  email: emailComplaint,
  password: passwordComplaint,
  role: () => null,
};

type CreateUserDialogProps = { onClose: () => void; onCreated: () => void };

/** Adds a user who may sign in at once. */
export const CreateUserDialog = ({ onClose, onCreated }: CreateUserDialogProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ name, email, password, role }) => {
      const person = { name: name.trim(), email: email.trim(), password };
      const { message } = await client.users.create({ ...person, role: oneOf(roles, role) ?? "user" });
      notify({ tone: "success", message });
      onClose();
      onCreated();
    },
    explain: (error) => failureText(error, texts.failed),
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={texts.lead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.name} error={errors.name}>
            <Input name="name" autoComplete="off" required autoFocus />
          </Field>
          <Field label={texts.email} error={errors.email}>
            <Input name="email" type="email" inputMode="email" autoComplete="off" required />
          </Field>
          <NewPasswordField label={texts.password} name="password" error={errors.password} />
          <Field label={texts.role} hint={texts.roleHint} error={errors.role}>
            <Select name="role" defaultValue="user">
              {roles.map((role) => (
                <option key={role} value={role}>
                  {roleTexts[role]}
                </option>
              ))}
            </Select>
          </Field>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              {userTexts.cancel}
            </Button>
            <Button type="submit" isBusy={isBusy}>
              {texts.submit}
            </Button>
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
};
