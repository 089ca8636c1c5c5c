import { useState } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { DateField } from "#ui/components/ui/date-field.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { addKey } from "./api.ts";
import { keyRules, namesIn } from "./key-rules.ts";
import { keyTexts as texts } from "./texts.ts";

type AddKeyDialogProps = { onClose: () => void; onAdded: () => void };

/** Trusts a publisher's key. */
export const AddKeyDialog = ({ onClose, onAdded }: AddKeyDialogProps) => {
  const [notBefore, setNotBefore] = useState("");
  const [notAfter, setNotAfter] = useState("");
  const { formProps, errors, problem, isBusy } = useForm({
    rules: keyRules,
    send: async ({ publicKey, label, names }) => {
      const message = await addKey({
        publicKey: publicKey.replaceAll(/\s/g, ""),
        label: label.trim(),
        names: namesIn(names),
        notBefore: notBefore === "" ? null : `${notBefore}T00:00:00.000Z`,
        notAfter: notAfter === "" ? null : `${notAfter}T23:59:59.999Z`,
      });
      notify({ tone: "success", message });
      onClose();
      onAdded();
    },
    explain: (error) => failureText(error, texts.addFailed),
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.addTitle} description={texts.addLead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.publicKey} hint={texts.publicKeyHint} error={errors.publicKey}>
            <Textarea
              name="publicKey"
              rows={2}
              spellCheck={false}
              autoCapitalize="none"
              required
              autoFocus
              className="font-mono"
            />
          </Field>
          <Field label={texts.label} hint={texts.labelHint} error={errors.label}>
            <Input name="label" autoComplete="off" maxLength={60} required />
          </Field>
          <Field label={texts.namesLabel} hint={texts.namesHint} error={errors.names}>
            <Input
              name="names"
              defaultValue="*"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <DateField
              label={texts.notBefore}
              name="notBefore"
              value={notBefore}
              isUtc
              onChange={setNotBefore}
            />
            <DateField
              label={texts.notAfter}
              name="notAfter"
              value={notAfter}
              isUtc
              onChange={setNotAfter}
              {...(notBefore !== "" && { min: notBefore })}
            />
          </div>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              {texts.cancel}
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
