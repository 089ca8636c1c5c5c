import { MailPlus, UserRoundSearch } from "lucide-react";
import { useCallback, useState } from "react";
import type { Invitation, InvitationResults } from "#api/modules/invitations/contract.ts";
import { emailComplaint, emailsIn, lineWithoutEmail } from "#contract/account-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { type InvitationState, roles } from "#contract/users.ts";
import { RequestDialog } from "#ui/components/confirm-dialog.tsx";
import { FormDialog } from "#ui/components/form.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { type Column, DataTable } from "#ui/components/ui/table.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { oneOf } from "#ui/lib/address-query.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { ShortMoment } from "../facts.tsx";
import { NoRows, PagedList, pageBounds } from "../paged-list.tsx";
import { roleOptions, roleTexts } from "../texts.ts";
import { inviteTexts, invitationsTexts as texts } from "./texts.ts";
import type { ShowUsers, UserQuery } from "./user-table.tsx";

/** Who was invited, a page at a time, with what can be done about each, and the way to invite more. */
export const InvitationsSection = ({ query: { page }, show }: { query: UserQuery; show: ShowUsers }) => {
  const load = useCallback(async () => (await client.invitations.list(pageBounds(page))).data, [page]);
  const loaded = useLoad(load);
  const { reload } = loaded;
  const [isInviting, setIsInviting] = useState(false);
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null);
  return (
    <>
      <Button onClick={() => setIsInviting(true)} className="justify-self-end max-sm:w-full">
        <MailPlus aria-hidden="true" />
        {texts.open}
      </Button>
      <PagedList
        loaded={loaded}
        loading={texts.loading}
        page={page}
        onPage={(next) => show({ page: next }, "step")}
      >
        {({ invitations, pagination: { total } }) =>
          invitations.length > 0 ? (
            <DataTable
              label={texts.table}
              columns={columnsFor(setWithdrawn, reload)}
              rows={invitations}
              keyOf={({ id }) => id}
            />
          ) : (
            <NoRows Icon={UserRoundSearch} total={total} words={texts} />
          )
        }
      </PagedList>
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} onInvited={reload} />}
      {withdrawn !== null && (
        <RequestDialog
          title={texts.withdrawTitle}
          question={texts.withdrawText(withdrawn.email)}
          action={texts.withdrawConfirm}
          fallback={texts.withdrawFailed}
          send={() => client.invitations.withdraw({ invitation: withdrawn.id })}
          onClose={() => setWithdrawn(null)}
          onDone={reload}
        />
      )}
    </>
  );
};

const tones = {
  waiting: "primary",
  accepted: "success",
  expired: "warning",
  withdrawn: "neutral",
} as const satisfies Record<InvitationState, string>;

// What a narrow window has no room for goes.
const columnsFor = (
  onWithdraw: (invitation: Invitation) => void,
  onSent: () => void,
): readonly Column<Invitation>[] => [
  {
    name: texts.columns.email,
    isHeading: true,
    // A cell without a width of its own takes what the others leave, and cuts what is too long for it.
    cellLook: "py-2",
    cell: ({ email, name }) => (
      <>
        <span className="wrap-anywhere line-clamp-2" title={email}>
          {email}
        </span>
        {name !== null && (
          <span className="block truncate font-normal text-[0.8125rem] text-muted-foreground">{name}</span>
        )}
      </>
    ),
  },
  {
    name: texts.columns.state,
    cell: ({ state }) => <Badge tone={tones[state]}>{texts.states[state]}</Badge>,
  },
  {
    name: texts.columns.role,
    look: "max-sm:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ role }) => roleTexts[role],
  },
  {
    name: texts.columns.by,
    look: "max-lg:hidden",
    cellLook: "max-w-40 truncate text-muted-foreground",
    cell: ({ invitedBy }) => invitedBy ?? texts.operator,
  },
  {
    name: texts.columns.mailed,
    look: "max-xl:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ mailedAt }) => <ShortMoment iso={mailedAt} />,
  },
  {
    name: texts.columns.expires,
    look: "max-md:hidden",
    cellLook: "text-muted-foreground",
    cell: ({ expiresAt }) => <ShortMoment iso={expiresAt} />,
  },
  {
    name: texts.columns.actions,
    cell: (invitation) =>
      (invitation.state === "waiting" || invitation.state === "expired") && (
        <InvitationActions
          invitation={invitation}
          onWithdraw={() => onWithdraw(invitation)}
          onSent={onSent}
        />
      ),
  },
];

type ActionsProps = { invitation: Invitation; onWithdraw: () => void; onSent: () => void };

const InvitationActions = ({ invitation: { id, email }, onWithdraw, onSent }: ActionsProps) => {
  const { act, isBusy } = useAct(async () => {
    try {
      const { message } = await client.invitations.resend({ invitation: id });
      notify({ tone: "success", message });
      onSent();
    } catch (error) {
      notify({ tone: "error", message: failureText(error, texts.resendFailed) });
    }
  });
  return (
    <span className="flex gap-2 max-sm:flex-col">
      <Button variant="outline" size="sm" isBusy={isBusy} aria-label={texts.resendName(email)} onClick={act}>
        {texts.resend}
      </Button>
      <Button variant="outline" size="sm" aria-label={texts.withdrawName(email)} onClick={onWithdraw}>
        {texts.withdraw}
      </Button>
    </span>
  );
};

const rules: FormRules<"addresses" | "role" | "expires" | "note"> = {
  addresses: (value) => {
    const emails = emailsIn(value);
    if (emails.length === 0) return inviteTexts.addressesWanted;
    const without = lineWithoutEmail(value);
    if (without !== null) return inviteTexts.noAddressInLine(without);
    if (emails.length > pageLimits.invitationsAtOnce) return inviteTexts.tooMany;
    const wrong = emails.find((email) => emailComplaint(email) !== null);
    return wrong === undefined ? null : inviteTexts.wrongAddress(wrong);
  },
  role: () => null,
  expires: () => null,
  note: (value) => (value.length > pageLimits.invitationNoteLength ? inviteTexts.noteTooLong : null),
};

const expiries = [1, 3, 7, 14, 30];

type InviteDialogProps = { onClose: () => void; onInvited: () => void };

/** Invites everyone whose address was typed or pasted, and says of whom it skipped why. */
const InviteDialog = ({ onClose, onInvited }: InviteDialogProps) => {
  const [skipped, setSkipped] = useState<InvitationResults["results"]>([]);
  const { errors, ...form } = useForm({
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
    explain: (error) => failureText(error, inviteTexts.failed),
  });
  if (skipped.length > 0) return <Skipped results={skipped} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={inviteTexts.title}
      description={inviteTexts.lead}
      action={inviteTexts.submit}
    >
      <Field label={inviteTexts.addresses} hint={inviteTexts.addressesHint} error={errors.addresses}>
        <Textarea name="addresses" rows={4} autoComplete="off" spellCheck={false} required autoFocus />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={inviteTexts.role} error={errors.role}>
          <Select name="role" defaultValue="user" options={roleOptions} />
        </Field>
        <Field label={inviteTexts.expires} error={errors.expires}>
          <Select
            name="expires"
            defaultValue="7"
            options={expiries.map((days) => [days, inviteTexts.days(days)])}
          />
        </Field>
      </div>
      <Field label={inviteTexts.note} hint={inviteTexts.noteHint} error={errors.note}>
        <Textarea name="note" rows={3} />
      </Field>
    </FormDialog>
  );
};

type SkippedProps = { results: InvitationResults["results"]; onClose: () => void };

const Skipped = ({ results, onClose }: SkippedProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={inviteTexts.skipped}
    actions={
      <Button onClick={onClose} autoFocus>
        {inviteTexts.done}
      </Button>
    }
  >
    <ul className="grid max-h-72 gap-2 overflow-y-auto text-sm">
      {results.map(({ email, reason }) => (
        <li key={email} className="wrap-anywhere">
          {email} <span className="text-muted-foreground">{inviteTexts.reasons[reason ?? "account"]}</span>
        </li>
      ))}
    </ul>
  </Dialog>
);
