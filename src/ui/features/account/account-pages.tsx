import { Download } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import type { Account } from "#api/modules/account/contract.ts";
import { type Complaint, emailKey, nameComplaint } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { providerLabels, providerNames, type User } from "#contract/users.ts";
import { LeaveQuestion } from "#ui/components/confirm-dialog.tsx";
import { saveFile } from "#ui/components/download-link.tsx";
import { Form, FormButtons } from "#ui/components/form.tsx";
import { PasswordField, UsernameHint } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input, PlainInput } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { addressOf, api, client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import {
  forgetUser,
  noteFactorRequired,
  refreshSession,
  useSession,
  useSessionState,
} from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { type Loaded, useHydrated, useLoad } from "#ui/lib/use-load.ts";
import { AccountCard, isMissing, LoadedPart, MissingParts } from "./account-card.tsx";
import { changeName, getAccount } from "./api.ts";
import { EmailCard } from "./email-card.tsx";
import { MethodsCard } from "./methods-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { accountPlaces, accountScreenTexts as texts } from "./texts.ts";

const getFactors = async () => {
  const { data } = await client.secondFactors.get();
  noteFactorRequired(data.requiredBy !== null);
  return data;
};
const listPasskeys = async () => (await client.passkeys.list()).data;
const listSessions = async () => (await client.account.sessions()).data.sessions;

const useIsOverdue = () => useSessionState()?.factorRequired?.isOverdue ?? false;

/** A page of the account settings: its title, the way to the others, and its cards once it is known whose they are. */
const AccountPage = ({ title, children }: { title: string; children: (user: User) => ReactNode }) => {
  const { user } = useSession();
  const isKnown = useHydrated() && user !== null;
  const isOverdue = useIsOverdue();
  useEffect(() => {
    if (user === null) void refreshSession();
  }, [user]);
  return (
    <div className="mx-auto grid w-full max-w-[44rem] grid-cols-1 gap-6 px-4 py-10 sm:px-6 sm:py-14">
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      {!isOverdue && <AccountNav />}
      {isKnown ? children(user) : <Skeleton className="h-56 rounded-lg" />}
    </div>
  );
};

const AccountNav = () => {
  const [path] = useLocation();
  return (
    <nav aria-label={texts.settings} className="-mx-1 overflow-x-auto px-1 py-1">
      <ul className="flex min-w-max gap-1 border-border border-b">
        {accountPlaces.map(({ href, label }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={path === href ? "page" : undefined}
              className={cn(
                "inline-flex min-h-11 items-center rounded-t-md px-3 text-sm outline-none focus-visible:ring-2 focus-visible:ring-ring",
                path === href
                  ? "border-primary border-b-2 font-medium"
                  : "text-muted-foreground hover:text-foreground",
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The reader's name and email address. */
export const ProfilePage = () => (
  <AccountPage title={texts.profile}>{({ name }) => <ProfileCards name={name} />}</AccountPage>
);

const ProfileCards = ({ name }: { name: string }) => {
  const account = useLoad(getAccount);
  return (
    <>
      <NameCard name={name} />
      <MissingParts parts={[account]} />
      {!isMissing(account) && <EmailCard account={account} />}
    </>
  );
};

/** How the reader signs in. Those who are overdue with a second factor can only set one up. */
export const SecurityPage = () => {
  const isOverdue = useIsOverdue();
  return (
    <AccountPage title={texts.security}>
      {({ name }) => (
        <>
          <LinkNotice />
          <SecurityCards name={name} isOverdue={isOverdue} />
        </>
      )}
    </AccountPage>
  );
};

const nothing = () => new Promise<never>(() => {});

/**
 * Its cards stay in place when a required factor has been set up, with the recovery codes that they show. What needs data that
 * could not be had is in one message.
 */
const SecurityCards = ({ name, isOverdue }: { name: string; isOverdue: boolean }) => {
  const account = useLoad(isOverdue ? nothing : getAccount);
  const factors = useLoad(getFactors);
  const passkeys = useLoad(listPasskeys);
  return (
    <>
      <MissingParts parts={[account, passkeys, factors]} />
      {!isOverdue && !isMissing(account) && (
        <>
          <PasswordCard name={name} account={account} />
          <MethodsCard account={account} />
        </>
      )}
      {!isMissing(passkeys) && factors.data?.isOffered !== false && (
        <PasskeysCard passkeys={passkeys} onChange={factors.reload} />
      )}
      {!isMissing(factors) && <SecondFactorCard factors={factors} />}
    </>
  );
};

/** Where the reader is signed in. */
export const SessionsPage = () => <AccountPage title={texts.sessions}>{() => <SessionsCards />}</AccountPage>;

const SessionsCards = () => {
  const sessions = useLoad(listSessions);
  return (
    <>
      <MissingParts parts={[sessions]} />
      {!isMissing(sessions) && <SessionsCard sessions={sessions} />}
    </>
  );
};

/** What the server keeps of the reader, as a file, and how to be forgotten. */
export const DataPage = () => <AccountPage title={texts.data}>{() => <DataCards />}</AccountPage>;

const DataCards = () => {
  const account = useLoad(getAccount);
  return (
    <>
      <DataCard />
      <MissingParts parts={[account]} />
      {!isMissing(account) && <DeleteCard account={account} />}
    </>
  );
};

/** Changes the reader's name. */
const NameCard = ({ name }: { name: string }) => {
  const [typed, setTyped] = useState(name);
  const { errors, ...form } = useForm({
    rules: { name: nameComplaint },
    send: async (values) => {
      const wanted = values.name.trim();
      if (wanted !== name) notify({ tone: "success", message: await changeName(wanted) });
    },
    explain: (error) => failureText(error, texts.nameFailed),
  });
  return (
    <AccountCard title={texts.nameTitle} lead={texts.nameLead}>
      <Form form={form} action={texts.saveName}>
        <Field label={texts.name} error={errors.name}>
          <Input
            name="name"
            autoComplete="name"
            required
            defaultValue={name}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      </Form>
      <LeaveQuestion isHeld={typed.trim() !== name} question={texts.nameUnsaved} />
    </AccountCard>
  );
};

/** Downloads what the server keeps with the reader's account, and says what is not in it and whom to ask. */
const DataCard = () => {
  const { act, isBusy, error } = useAct(async () => {
    const text = JSON.stringify(await api.get<unknown>(addressOf("account.export", {})), null, 2);
    saveFile(texts.dataFile, new Blob([text], { type: "application/json" }));
  });
  return (
    <AccountCard title={texts.dataFileTitle} lead={texts.dataLead}>
      {error !== null && <Alert severity="error">{failureText(error, texts.dataFailed)}</Alert>}
      <p className="text-sm">
        {texts.dataLess}{" "}
        <Link href="/contact" className="underline underline-offset-4">
          {texts.dataAsk}
        </Link>
        .
      </p>
      <Button variant="outline" isBusy={isBusy} onClick={act} className="sm:justify-self-start">
        <Download aria-hidden="true" />
        {texts.download}
      </Button>
    </AccountCard>
  );
};

/** Tells how linking a provider, or confirming with one, ended, once: the address forgets it, so that a reload does not tell it again. */
const LinkNotice = () => {
  const [search, setSearch] = useSearchParams();
  const [outcome] = useState(() => readLinkOutcome(search));
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => {
    if (outcome === null) return;
    if (outcome.step === "linked") notify({ tone: "success", message: texts.linkDone(outcome.label) });
    setSearch({}, { replace: true });
  }, [outcome, setSearch]);
  if (outcome === null || outcome.step === "linked" || isClosed) return null;
  return (
    <Alert severity="error" onClose={() => setIsClosed(true)}>
      {outcome.step === "failed" ? texts.linkRefused : texts.notConfirmed}
    </Alert>
  );
};

/** How an attempt to link a provider, or to confirm with one, ended, as the address tells that the reader came back with. */
type LinkOutcome = { step: "linked"; label: string } | { step: "failed" | "unconfirmed" } | null;

/** Reads `?linked=google`, `?error=link_failed` and `?error=confirm_failed`; whatever else stands there is no one's outcome. */
export const readLinkOutcome = (search: URLSearchParams): LinkOutcome => {
  if (search.get("error") === "link_failed") return { step: "failed" };
  if (search.get("error") === "confirm_failed") return { step: "unconfirmed" };
  const linked = search.get("linked");
  if (linked === null || !/^[a-z][a-z0-9]+$/.test(linked)) return null;
  const name = providerNames.find((known) => known === linked);
  return {
    step: "linked",
    label: name === undefined ? texts.theProvider : providerLabels[name],
  };
};

/** Deletes the account permanently; the last administrator sees why not. */
const DeleteCard = ({ account }: { account: Loaded<Account> }) => (
  <AccountCard title={texts.delete} lead={texts.deleteLead} isDanger>
    <LoadedPart loaded={account} skeleton={<Skeleton className="h-11 sm:w-40 md:h-9" />}>
      {(data) => <DeleteButton account={data} />}
    </LoadedPart>
  </AccountCard>
);

const DeleteButton = ({ account }: { account: Account }) => {
  const [isAsked, setIsAsked] = useState(false);
  const reasonId = useId();
  const { isLastAdmin } = account;
  return (
    <div className="grid gap-3">
      {isLastAdmin && (
        <p id={reasonId} className="text-sm">
          {texts.lastAdmin}
        </p>
      )}
      <Button
        variant="destructive"
        disabled={isLastAdmin}
        aria-describedby={isLastAdmin ? reasonId : undefined}
        onClick={() => setIsAsked(true)}
        className="sm:justify-self-start"
      >
        {texts.deleteOpen}
      </Button>
      {isAsked && <DeleteDialog account={account} onClose={() => setIsAsked(false)} />}
    </div>
  );
};

type DeleteDialogProps = { account: Account; onClose: () => void };

/** Names what is lost, and wants the address typed and the password, so that no one deletes an account by accident. */
const DeleteDialog = ({ account, onClose }: DeleteDialogProps) => {
  const { user, hasPassword } = account;
  const [, navigate] = useLocation();
  const { errors, ...form } = useForm({
    rules: deleteRules(account),
    send: async ({ password }) => {
      // Without a password the session must be fresh.
      const { message } = await client.account.remove(hasPassword ? { password } : {});
      // First away from the guarded page: without a user its guard would lead to the sign-in page instead.
      navigate("/");
      forgetUser();
      notify({ tone: "success", message });
    },
    explain: (error) => failureText(error, texts.deleteFailed),
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.deleteTitle} description={texts.deleteLead}>
      <div className="grid gap-1.5 text-sm">
        <p>{texts.youLose}</p>
        <ul className="grid list-disc gap-1 pl-5">
          {texts.lost(hasPassword).map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p>{texts.messagesStay}</p>
      </div>
      <Form form={form}>
        <UsernameHint email={user.email} />
        {hasPassword && (
          <PasswordField
            label={texts.yourPassword}
            name="password"
            autoComplete="current-password"
            error={errors.password}
          />
        )}
        <Field label={texts.typeEmail} hint={user.email} error={errors.email}>
          <PlainInput name="email" type="text" inputMode="email" required />
        </Field>
        <FormButtons onCancel={onClose} action={texts.deleteConfirm} isBusy={form.isBusy} isDangerous />
      </Form>
    </Dialog>
  );
};

/** What has to be typed before an account is deleted: its address, and its password where it has one. */
const deleteRules = ({
  user,
  hasPassword,
}: Pick<Account, "user" | "hasPassword">): FormRules<"password" | "email"> => ({
  password: (value) => (hasPassword && value === "" ? pageAuthTexts.passwordRequired : null),
  email: (value) => emailDiffers(value, user.email),
});

const emailDiffers = (typed: string, email: string): Complaint =>
  emailKey(typed) === emailKey(email) ? null : texts.emailDiffers;
