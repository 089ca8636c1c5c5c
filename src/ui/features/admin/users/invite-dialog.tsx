import { useState } from "react";
import type { InvitationResults } from "#api/modules/invitations/contract.ts";
import { emailComplaint, emailsIn, lineWithoutEmail } from "#contract/account-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { roles } from "#contract/users.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { oneOf } from "../list-parts.tsx";
import { roleTexts } from "../texts.ts";
import { inviteTexts as texts, userTexts } from "./texts.ts";

const rules: FormRules<"addresses" | "role" | "expires" | "note"> = {
  addresses: (value) => {
    const emails = emailsIn(value);
    if (emails.length === 0) return texts.addressesWanted;
    const without = lineWithoutEmail(value);
    if (without !== null) return texts.noAddressInLine(without);
    if (emails.length > pageLimits.invitationsAtOnce) return texts.tooMany;
    const wrong = emails.find((email) => emailComplaint(email) !== null);
    return wrong === undefined ? null : texts.wrongAddress(wrong);
  },
  role: () => null,
  expires: () => null,
  note: (value) => (value.length > pageLimits.invitationNoteLength ? texts.noteTooLong : null),
};

const expiries = [1, 3, 7, 14, 30];

type InviteDialogProps = { onClose: () => void; onInvited: () => void };

/** Invites everyone whose address was typed or pasted, and says of whom it skipped why. */
export const InviteDialog = ({ onClose, onInvited }: InviteDialogProps) => {
  const [skipped, setSkipped] = useState<InvitationResults["results"]>([]);
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ addresses, role, expires, note }) => {
      const wishes = { role: oneOf(roles, role) ?? "user", expiresInDays: Number(expires) };
      const { message, data } = await client.invitations.create({
        invitations: emailsIn(addresses).map((email) => ({ email, ...wishes })),
        ...(note.trim() === "" ? {} : { note: note.trim() }),
      });
      const left = data.results.filter(({ status }) => status === "skipped");
      notify({ tone: left.length === data.results.length ? "info" : "success", message });
      onInvited();
      setSkipped(left);
      if (left.length === 0) onClose();
    },
    explain: (error) => failureText(error, texts.failed),
  });
  if (skipped.length > 0) return <Skipped results={skipped} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={texts.lead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.addresses} hint={texts.addressesHint} error={errors.addresses}>
            <Textarea name="addresses" rows={4} autoComplete="off" spellCheck={false} required autoFocus />
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label={texts.role} error={errors.role}>
              <Select name="role" defaultValue="user">
                {roles.map((role) => (
                  <option key={role} value={role}>
                    {roleTexts[role]}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label={texts.expires} error={errors.expires}>
              <Select name="expires" defaultValue="7">
                {expiries.map((days) => (
                  <option key={days} value={days}>
                    {texts.days(days)}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Field label={texts.note} hint={texts.noteHint} error={errors.note}>
            <Textarea name="note" rows={3} />
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

type SkippedProps = { results: InvitationResults["results"]; onClose: () => void };

const Skipped = ({ results, onClose }: SkippedProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={texts.skipped}
    actions={
      <Button onClick={onClose} autoFocus>
        {texts.done}
      </Button>
    }
  >
    <ul className="grid max-h-72 gap-2 overflow-y-auto text-sm">
      {results.map(({ email, reason }) => (
        <li key={email} className="wrap-anywhere">
          {email} <span className="text-muted-foreground">{texts.reasons[reason ?? "account"]}</span>
        </li>
      ))}
    </ul>
  </Dialog>
);
