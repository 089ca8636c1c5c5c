import { useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { FormDialog } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { longDate } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart } from "./account-card.tsx";
import { emailCardTexts as texts } from "./texts.ts";

/** The email address, and how it is changed; while a change waits, how it is stopped. */
export const EmailCard = ({ account }: { account: Loaded<Account> }) => {
  // Whoever has just begun a change finds the focus at what can be done about it.
  const [isBegun, setIsBegun] = useState(false);
  const begin = () => {
    setIsBegun(true);
    account.reload();
  };
  return (
    <AccountCard title={texts.title} lead={texts.lead}>
      <LoadedPart loaded={account} skeleton={<Skeleton className="h-11 md:h-9" />}>
        {({ user, emailChange }) =>
          emailChange === null ? (
            <Present email={user.email} onChange={begin} />
          ) : (
            <>
              <p className="wrap-anywhere text-sm">{user.email}</p>
              <Waiting change={emailChange} isBegun={isBegun} onStopped={account.reload} />
            </>
          )
        }
      </LoadedPart>
    </AccountCard>
  );
};

const Present = ({ email, onChange }: { email: string; onChange: () => void }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="wrap-anywhere text-sm">{email}</p>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        {texts.change}
      </Button>
      {isOpen && <ChangeDialog onClose={() => setIsOpen(false)} onBegun={onChange} />}
    </div>
  );
};

const ChangeDialog = ({ onClose, onBegun }: { onClose: () => void; onBegun: () => void }) => {
  const { errors, ...form } = useForm({
    rules: { email: emailComplaint },
    send: async ({ email }) => {
      const { message } = await client.emailChanges.begin({ email: email.trim() });
      notify({ tone: "success", message });
      onClose();
      onBegun();
    },
    explain: (error) => failureText(error, texts.failed),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={texts.dialog}
      description={texts.dialogLead}
      action={texts.submit}
    >
      <Field label={texts.newEmail} error={errors.email}>
        <Input name="email" type="email" inputMode="email" autoComplete="email" required autoFocus />
      </Field>
    </FormDialog>
  );
};

type WaitingProps = {
  change: NonNullable<Account["emailChange"]>;
  isBegun: boolean;
  onStopped: () => void;
};

const Waiting = ({ change: { newEmail, expiresAt }, isBegun, onStopped }: WaitingProps) => {
  const { act, isBusy, error } = useAct(async () => {
    const { message } = await client.emailChanges.stop();
    notify({ tone: "success", message });
    onStopped();
  });
  return (
    <div className="grid gap-4">
      {error !== null && <Alert severity="error">{failureText(error, texts.stopFailed)}</Alert>}
      <Alert severity="info" title={texts.waiting(newEmail)} className="wrap-anywhere">
        {texts.waitingUntil(longDate(expiresAt))}
      </Alert>
      <Button
        variant="outline"
        isBusy={isBusy}
        onClick={act}
        autoFocus={isBegun}
        className="sm:justify-self-start"
      >
        {texts.stop}
      </Button>
    </div>
  );
};
