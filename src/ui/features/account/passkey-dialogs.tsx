import { type RefObject, useRef, useState } from "react";
import type { OwnPasskey } from "#api/modules/passkeys/contract.ts";
import { passkeyNameComplaint } from "#contract/passkeys.ts";
import { FormButtons, FormDialog } from "#ui/components/form.tsx";
import { NewCodesDialog } from "#ui/components/recovery-codes.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { makePasskey, passkeyScreenTexts, useCeremony } from "#ui/lib/passkeys.ts";
import { passkeysTexts as texts } from "./passkeys-texts.ts";

type AddPasskeyDialogProps = {
  suggestedName: string;
  returnFocusTo: RefObject<HTMLElement | null>;
  onClose: () => void;
  onAdded: () => void;
};

/** Asks for a name, has the browser make a passkey, and shows the recovery codes that come with the first factor. */
export const AddPasskeyDialog = ({
  suggestedName,
  returnFocusTo,
  onClose,
  onAdded,
}: AddPasskeyDialogProps) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const name = useRef(suggestedName);
  const { isBusy, problem, start, cancel } = useCeremony(async (signal) => {
    const answer = await makePasskey((await client.passkeys.begin()).data, signal);
    const { recoveryCodes } = (await client.passkeys.add({ ...answer, name: name.current })).data;
    notify({ tone: "success", message: texts.addDone });
    onAdded();
    if (recoveryCodes === null) onClose();
    else setCodes(recoveryCodes);
  }, texts.addFailed);
  const form = useForm({
    rules: { name: passkeyNameComplaint },
    send: async (values) => {
      name.current = values.name;
      start();
    },
    explain: () => texts.addFailed,
  });
  if (codes !== null) return <NewCodesDialog codes={codes} onClose={onClose} />;
  const leave = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={leave}
      title={texts.addTitle}
      description={texts.addLead}
      returnFocusTo={returnFocusTo}
    >
      <form {...form.formProps} className="grid gap-5">
        {problem !== null && <Alert severity="error">{problem}</Alert>}
        <NameField name={suggestedName} error={form.errors.name} isDisabled={isBusy} hint={texts.nameHint} />
        <p role="status" className="empty:hidden text-sm">
          {isBusy && passkeyScreenTexts.waiting}
        </p>
        <FormButtons action={texts.continue} isBusy={isBusy} onCancel={leave} />
      </form>
    </Dialog>
  );
};

type RenamePasskeyDialogProps = {
  passkey: OwnPasskey;
  onClose: () => void;
  onRenamed: () => void;
};

/** Gives a passkey another name. */
export const RenamePasskeyDialog = ({
  passkey: { id, name },
  onClose,
  onRenamed,
}: RenamePasskeyDialogProps) => {
  const { errors, ...form } = useForm({
    rules: { name: passkeyNameComplaint },
    send: async (values) => {
      const { message } = await client.passkeys.rename({ id, name: values.name });
      notify({ tone: "success", message });
      onClose();
      onRenamed();
    },
    explain: (error) => failureText(error, texts.renameFailed),
  });
  return (
    <FormDialog form={form} onClose={onClose} title={texts.renameTitle} action={texts.save}>
      <NameField name={name} error={errors.name} isDisabled={form.isBusy} />
    </FormDialog>
  );
};

type NameFieldProps = { name: string; error: string | undefined; isDisabled: boolean; hint?: string };

const NameField = ({ name, error, isDisabled, hint }: NameFieldProps) => (
  <Field label={texts.name} error={error} hint={hint}>
    <Input name="name" defaultValue={name} readOnly={isDisabled} autoComplete="off" required autoFocus />
  </Field>
);
