import { useState } from "react";
import { nameComplaint } from "#contract/account-rules.ts";
import { LeaveQuestion } from "#ui/components/leave-question.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { AccountCard } from "./account-card.tsx";
import { changeName } from "./api.ts";
import { accountScreenTexts as texts } from "./texts.ts";

/** Changes the reader's name. */
export const NameCard = ({ name }: { name: string }) => {
  const [typed, setTyped] = useState(name);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { name: nameComplaint },
    send: async (values) => {
      const wanted = values.name.trim();
      if (wanted !== name) notify({ tone: "success", message: await changeName(wanted) });
    },
    explain: (error) => failureText(error, texts.nameFailed),
  });
  return (
    <AccountCard title={texts.profile} lead={texts.profileLead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.name} error={errors.name}>
            <Input
              name="name"
              autoComplete="name"
              required
              defaultValue={name}
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
          <Button type="submit" isBusy={isBusy} className="sm:justify-self-start">
            {texts.saveName}
          </Button>
        </fieldset>
      </form>
      <LeaveQuestion isHeld={typed.trim() !== name} question={texts.nameUnsaved} />
    </AccountCard>
  );
};
