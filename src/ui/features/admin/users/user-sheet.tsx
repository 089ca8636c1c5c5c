import { MonitorSmartphone } from "lucide-react";
import { useCallback, useId, useState } from "react";
import type { UserDetail } from "#api/modules/users/contract.ts";
import { emailKey } from "#contract/account-rules.ts";
import { lastAdminText } from "#contract/errors.ts";
import { userFields } from "#contract/field-marks.ts";
import { RequestDialog } from "#ui/components/confirm-dialog.tsx";
import { FormDialog } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useSession } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";

import { Copyable, Facts, momentFact, SheetPart } from "../facts.tsx";
import { LoadedData } from "../list-parts.tsx";
import { roleTexts } from "../texts.ts";
import { userTexts as texts, usersTexts } from "./texts.ts";
import { StatusMark, waysIn } from "./user-table.tsx";

type UserSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One user: who they are, where they are signed in, and what can be done. */
export const UserSheet = ({ id, onClose, onChange }: UserSheetProps) => {
  const session = useSession();
  const load = useCallback(async () => (await client.users.get({ user: id })).data, [id]);
  const loaded = useLoad(load);
  const isOwn = session.user?.id === id;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={loaded.data?.name ?? texts.detail}
      description={isOwn ? <Badge tone="success">{usersTexts.you}</Badge> : undefined}
    >
      <LoadedData loaded={loaded} skeleton={<Waiting />}>
        {(user) => (
          <div className="grid gap-7">
            <UserFacts user={user} />
            <SessionList user={user} />
            <UserActions
              user={user}
              isOwn={isOwn}
              onChanged={() => {
                loaded.reload();
                onChange();
              }}
              onDeleted={() => {
                onClose();
                onChange();
              }}
            />
          </div>
        )}
      </LoadedData>
    </Sheet>
  );
};

const Waiting = () => (
  <div role="status" aria-busy="true" className="grid gap-3">
    <span className="sr-only">{usersTexts.loading}</span>
    {["a", "b", "c", "d", "e"].map((row) => (
      <Skeleton key={row} className="h-5 w-full" />
    ))}
  </div>
);

/** Who someone is, with what is worth copying; the name is the sheet's title, the sessions have their own part. */
const UserFacts = ({ user }: { user: UserDetail }) => {
  const ways = user.hasPassword ? [texts.password, ...waysIn(user)] : waysIn(user);
  return (
    <SheetPart title={texts.facts}>
      <Facts
        fields={{ ...userFields, secondFactor: { label: texts.twoFactor } }}
        contents={{
          name: null,
          email: <Copyable name={userFields.email.label} text={user.email} />,
          id: <Copyable name={userFields.id.label} text={user.id} isCode />,
          role: roleTexts[user.role],
          disabled: (
            <>
              <StatusMark isDisabled={user.disabled} />
              {!user.emailVerified && texts.unverified}
            </>
          ),
          hasPassword: ways.join(", ") || texts.noMethods,
          secondFactor: user.secondFactor ? (
            <>
              {texts.factors(user.secondFactor)} {momentFact(user.secondFactor.enabledAt)}
            </>
          ) : (
            texts.noFactor
          ),
          createdAt: momentFact(user.createdAt),
          lastSeenAt: momentFact(user.lastSeenAt) ?? usersTexts.never,
          sessions: null,
        }}
      />
    </SheetPart>
  );
};

/** Where someone is signed in, the last used first. */
const SessionList = ({ user: { sessions, sessionCount } }: { user: UserDetail }) => (
  <SheetPart title={texts.sessions(sessionCount)}>
    {sessions.length === 0 && <p className="text-muted-foreground text-sm">{texts.noSessions}</p>}
    {sessions.length > 0 && (
      <ul className="divide-y divide-border rounded-md border border-border text-sm">
        {sessions.map(({ id, ip, userAgent, device, createdAt, lastUsedAt }) => (
          <li key={id} className="flex gap-3 px-3.5 py-2.5">
            <MonitorSmartphone aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
            <div className="min-w-0">
              <p title={userAgent ?? undefined}>{device}</p>
              <p className="wrap-anywhere text-muted-foreground text-[0.8125rem]">
                {ip} · <time dateTime={lastUsedAt}>{texts.lastUsed(shortMoment(lastUsedAt))}</time>
                <br />
                <time dateTime={createdAt}>{texts.signedInAt(shortMoment(createdAt))}</time>
              </p>
            </div>
          </li>
        ))}
      </ul>
    )}
    {sessions.length < sessionCount && (
      <p className="text-muted-foreground text-[0.8125rem]">{texts.moreSessions(sessions.length)}</p>
    )}
  </SheetPart>
);

type UserActionsProps = {
  user: UserDetail;
  isOwn: boolean;
  onChanged: () => void;
  onDeleted: () => void;
};

/** What an administrator can do about a user. The last administrator stays one: the reason stands where it is refused. */
const UserActions = ({ user, isOwn, onChanged, onDeleted }: UserActionsProps) => {
  const [asked, setAsked] = useState<UserQuestion | "delete" | null>(null);
  const named = { user: user.id };
  const enabling = useAct(async () => {
    notify({ tone: "success", message: (await client.users.enable(named)).message });
    onChanged();
  });
  const resetting = useAct(async () => {
    const { message } = await client.users.sendReset(named);
    notify({ tone: "success", message });
  });
  const { isLastAdmin, disabled } = user;
  const unlessLast = (text: string) => (isLastAdmin ? lastAdminText : text);
  return (
    <SheetPart title={texts.actions}>
      <ul className="divide-y divide-border rounded-md border border-border">
        <ActionRow
          label={user.role === "admin" ? texts.makeUser : texts.makeAdmin}
          text={user.role === "admin" ? unlessLast(texts.makeUserText) : texts.makeAdminText}
          isRefused={isLastAdmin}
          onPress={() => setAsked(user.role === "admin" ? "make-user" : "make-admin")}
        />
        {disabled ? (
          <ActionRow
            label={texts.enable}
            text={texts.enableText}
            isBusy={enabling.isBusy}
            problem={problemOf(enabling.error, texts.enableFailed)}
            onPress={enabling.act}
          />
        ) : (
          <ActionRow
            label={texts.disable}
            text={unlessLast(texts.disableText)}
            isRefused={isLastAdmin}
            onPress={() => setAsked("disable")}
          />
        )}
        <ActionRow
          label={texts.reset}
          text={disabled ? texts.resetDisabled : texts.resetText}
          isRefused={disabled}
          isBusy={resetting.isBusy}
          problem={problemOf(resetting.error, texts.resetFailed)}
          onPress={resetting.act}
        />
        {user.secondFactor !== null && (
          <ActionRow
            label={texts.resetFactor}
            text={texts.resetFactorText}
            onPress={() => setAsked("reset-factor")}
          />
        )}
        {user.secondFactor?.ways.includes("code") && user.secondFactor.ways.includes("passkey") && (
          <ActionRow
            label={texts.removeApp}
            text={texts.removeAppText}
            onPress={() => setAsked("remove-app")}
          />
        )}
        <ActionRow
          label={texts.end}
          text={user.sessionCount === 0 ? texts.endNone : texts.endText}
          isRefused={user.sessionCount === 0}
          onPress={() => setAsked("end-sessions")}
        />
        <ActionRow
          label={texts.delete}
          text={unlessLast(texts.deleteText)}
          isRefused={isLastAdmin}
          isDangerous
          onPress={() => setAsked("delete")}
        />
      </ul>
      {asked === "delete" && (
        <DeleteUserDialog user={user} isOwn={isOwn} onClose={() => setAsked(null)} onDeleted={onDeleted} />
      )}
      {asked !== null && asked !== "delete" && (
        <RequestDialog
          title={questions[asked].title}
          question={
            isOwn ? `${questions[asked].words(user.name)} ${texts.own}` : questions[asked].words(user.name)
          }
          action={questions[asked].action}
          fallback={questions[asked].fallback}
          send={() => questions[asked].send(user.id)}
          onClose={() => setAsked(null)}
          onDone={onChanged}
        />
      )}
    </SheetPart>
  );
};

const problemOf = (error: unknown, fallback: string): string | null =>
  error === null ? null : failureText(error, fallback);

type ActionRowProps = {
  label: string;
  /** What it does, or why it cannot be done at the moment. */
  text: string;
  isRefused?: boolean;
  isBusy?: boolean;
  isDangerous?: boolean;
  /** The sentence for a try that failed. */
  problem?: string | null;
  onPress: () => void;
};

/** Something that can be done: what it means, its button, and how the last try failed. */
const ActionRow = ({
  label,
  text,
  isRefused = false,
  isBusy = false,
  isDangerous = false,
  problem = null,
  onPress,
}: ActionRowProps) => {
  const id = useId();
  return (
    <li className="grid gap-3 px-3.5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p id={id} className="min-w-48 grow basis-0 text-pretty text-[0.8125rem] text-muted-foreground">
          {text}
        </p>
        <Button
          variant={isDangerous ? "destructive" : "outline"}
          size="sm"
          aria-describedby={id}
          // It keeps the focus, so that the reason can be heard.
          aria-disabled={isRefused || undefined}
          isBusy={isBusy}
          onClick={() => !isRefused && onPress()}
          className="max-sm:w-full"
        >
          {label}
        </Button>
      </div>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
    </li>
  );
};

/** What is asked about before it is done. */
type UserQuestion = keyof typeof questions;

const questions = {
  "make-admin": {
    title: texts.makeAdminTitle,
    words: texts.makeAdminQuestion,
    action: texts.makeAdmin,
    fallback: texts.roleFailed,
    send: (user: string) => client.users.setRole({ user, role: "admin" }),
  },
  "make-user": {
    title: texts.makeUserTitle,
    words: texts.makeUserQuestion,
    action: texts.makeUser,
    fallback: texts.roleFailed,
    send: (user: string) => client.users.setRole({ user, role: "user" }),
  },
  disable: {
    title: texts.disableTitle,
    words: texts.disableQuestion,
    action: texts.disable,
    fallback: texts.disableFailed,
    send: (user: string) => client.users.disable({ user }),
  },
  "reset-factor": {
    title: texts.resetFactorTitle,
    words: texts.resetFactorQuestion,
    action: texts.resetFactor,
    fallback: texts.resetFactorFailed,
    send: (user: string) => client.users.resetSecondFactor({ user }),
  },
  "remove-app": {
    title: texts.removeAppTitle,
    words: texts.removeAppQuestion,
    action: texts.removeApp,
    fallback: texts.removeAppFailed,
    send: (user: string) => client.users.resetSecondFactor({ user, keepPasskeys: "true" }),
  },
  "end-sessions": {
    title: texts.endTitle,
    words: texts.endQuestion,
    action: texts.end,
    fallback: texts.endFailed,
    send: (user: string) => client.users.signOut({ user }),
  },
} as const;

type DeleteUserDialogProps = {
  user: UserDetail;
  isOwn: boolean;
  onClose: () => void;
  onDeleted: () => void;
};

/** Names what is lost and wants the address typed, so that no one is deleted by accident. */
const DeleteUserDialog = ({ user, isOwn, onClose, onDeleted }: DeleteUserDialogProps) => {
  const { errors, ...form } = useForm({
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
    <FormDialog
      form={form}
      onClose={onClose}
      title={texts.deleteTitle}
      description={isOwn ? `${question} ${texts.own}` : question}
      action={texts.deleteConfirm}
      isDangerous
    >
      <Field label={texts.deleteType} hint={user.email} error={errors.email}>
        <PlainInput name="email" type="text" inputMode="email" required autoFocus />
      </Field>
    </FormDialog>
  );
};
