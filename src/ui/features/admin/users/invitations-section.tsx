import { MailPlus } from "lucide-react";
import { useCallback, useState } from "react";
import type { Invitation, InvitationList, InvitationResults } from "#api/modules/invitations/contract.ts";
import { emailComplaint, emailsIn, lineWithoutEmail } from "#contract/account-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { type InvitationState, roles } from "#contract/users.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { FormDialog } from "#ui/components/form.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { formatDateTime } from "../format.ts";
import { KeepFocus, ListPager, oneOf, pageBounds } from "../list-parts.tsx";
import { roleTexts } from "../texts.ts";
import { inviteTexts, invitationsTexts as texts, usersTexts } from "./texts.ts";
import { NoUsers, type ShowUsers, type UserQuery, UserTableSkeleton } from "./user-table.tsx";

/** Who was invited, a page at a time, with what can be done about each, and the way to invite more. */
export const InvitationsSection = ({ query: { page }, show }: { query: UserQuery; show: ShowUsers }) => {
  const load = useCallback(async () => (await client.invitations.list(pageBounds(page))).data, [page]);
  const { data, error, isLoading, reload } = useLoad(load);
  const [isInviting, setIsInviting] = useState(false);
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null);
  const turnTo = (next: number) => {
    show({ page: next }, "step");
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <Button onClick={() => setIsInviting(true)} className="justify-self-end max-sm:w-full">
        <MailPlus aria-hidden="true" />
        {texts.open}
      </Button>
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <UserTableSkeleton label={texts.loading} />}
      {data !== null && (
        <Card
          aria-busy={isLoading}
          className={cn(
            "overflow-hidden",
            (isLoading || error !== null) && "opacity-70 transition-opacity delay-200",
          )}
        >
          <KeepFocus of={data}>
            <Invitations data={data} onWithdraw={setWithdrawn} onSent={reload} />
          </KeepFocus>
          {data.pagination.total > 0 && <ListPager {...data.pagination} page={page} onPage={turnTo} />}
        </Card>
      )}
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} onInvited={reload} />}
      {withdrawn !== null && (
        <WithdrawQuestion invitation={withdrawn} onClose={() => setWithdrawn(null)} onDone={reload} />
      )}
    </>
  );
};

type InvitationsProps = {
  data: InvitationList;
  onWithdraw: (invitation: Invitation) => void;
  onSent: () => void;
};

const Invitations = ({ data, onWithdraw, onSent }: InvitationsProps) => {
  if (data.pagination.total === 0) return <NoUsers title={texts.none} text={texts.noneText} />;
  if (data.invitations.length === 0)
    return <NoUsers title={usersTexts.beyond} text={usersTexts.beyondText} />;
  return (
    <Table key={data.pagination.offset} label={texts.table}>
      <TableHeader columns={columns} />
      <TableBody>
        {data.invitations.map((invitation) => (
          <InvitationTableRow
            key={invitation.id}
            invitation={invitation}
            onWithdraw={() => onWithdraw(invitation)}
            onSent={onSent}
          />
        ))}
      </TableBody>
    </Table>
  );
};

type WithdrawQuestionProps = { invitation: Invitation; onClose: () => void; onDone: () => void };

const WithdrawQuestion = ({ invitation: { id, email }, onClose, onDone }: WithdrawQuestionProps) => (
  <ConfirmDialog
    open
    onClose={onClose}
    title={texts.withdrawTitle}
    question={texts.withdrawText(email)}
    action={texts.withdrawConfirm}
    fallback={texts.withdrawFailed}
    onConfirm={async () => {
      const { message } = await client.invitations.withdraw({ invitation: id });
      notify({ tone: "success", message });
      onClose();
      onDone();
    }}
  />
);

// What a narrow window has no room for goes.
const looks = {
  role: "max-sm:hidden",
  by: "max-lg:hidden",
  mailed: "max-xl:hidden",
  expires: "max-md:hidden",
};
const columns = [
  { name: texts.columns.email },
  { name: texts.columns.state },
  { name: texts.columns.role, look: looks.role },
  { name: texts.columns.by, look: looks.by },
  { name: texts.columns.mailed, look: looks.mailed },
  { name: texts.columns.expires, look: looks.expires },
  { name: texts.columns.actions },
];

const tones = {
  waiting: "primary",
  accepted: "success",
  expired: "warning",
  withdrawn: "neutral",
} as const satisfies Record<InvitationState, string>;

type RowProps = { invitation: Invitation; onWithdraw: () => void; onSent: () => void };

const InvitationTableRow = ({ invitation, onWithdraw, onSent }: RowProps) => {
  const { id, email, name, role, state, invitedBy, mailedAt, expiresAt } = invitation;
  const { act, isBusy } = useAct(async () => {
    try {
      const { message } = await client.invitations.resend({ invitation: id });
      notify({ tone: "success", message });
      onSent();
    } catch (error) {
      notify({ tone: "error", message: failureText(error, texts.resendFailed) });
    }
  });
  const isOpen = state === "waiting" || state === "expired";
  return (
    <TableRow>
      {/* A cell without a width of its own takes what the others leave, and cuts what is too long for it. */}
      <th scope="row" className="w-full max-w-0 py-2 pr-3 pl-4 text-left font-medium">
        <span className="wrap-anywhere line-clamp-2" title={email}>
          {email}
        </span>
        {name !== null && (
          <span className="block truncate font-normal text-[0.8125rem] text-muted-foreground">{name}</span>
        )}
      </th>
      <TableCell>
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      </TableCell>
      <TableCell className={cn("text-muted-foreground", looks.role)}>{roleTexts[role]}</TableCell>
      <TableCell className={cn("max-w-40 truncate text-muted-foreground", looks.by)}>
        {invitedBy ?? texts.operator}
      </TableCell>
      <TableCell className={cn("text-muted-foreground", looks.mailed)}>
        <Moment iso={mailedAt} />
      </TableCell>
      <TableCell className={cn("text-muted-foreground", looks.expires)}>
        <Moment iso={expiresAt} />
      </TableCell>
      <TableCell>
        {isOpen && (
          <span className="flex gap-2 max-sm:flex-col">
            <Button
              variant="outline"
              size="sm"
              isBusy={isBusy}
              aria-label={texts.resendName(email)}
              onClick={act}
            >
              {texts.resend}
            </Button>
            <Button variant="outline" size="sm" aria-label={texts.withdrawName(email)} onClick={onWithdraw}>
              {texts.withdraw}
            </Button>
          </span>
        )}
      </TableCell>
    </TableRow>
  );
};

const Moment = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={formatDateTime(iso)}>
    {shortMoment(iso)}
  </time>
);

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
          <Select name="role" defaultValue="user">
            {roles.map((role) => (
              <option key={role} value={role}>
                {roleTexts[role]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={inviteTexts.expires} error={errors.expires}>
          <Select name="expires" defaultValue="7">
            {expiries.map((days) => (
              <option key={days} value={days}>
                {inviteTexts.days(days)}
              </option>
            ))}
          </Select>
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
