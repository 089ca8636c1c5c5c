import { Building2, CircleUserRound, GitBranch, KeyRound } from "lucide-react";
import { useEffect, useId, useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { providerKind } from "#contract/users.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { FormDialog } from "#ui/components/form.tsx";
import { PasswordField, UsernameHint } from "#ui/components/password-field.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart, MethodRow, RowsSkeleton } from "./account-card.tsx";

import { accountScreenTexts as texts } from "./texts.ts";

/** The ways into the account, and how to add or remove one. */
export const MethodsCard = ({ account }: { account: Loaded<Account> }) => (
  <AccountCard title={texts.methods} lead={texts.methodsLead}>
    <LoadedPart loaded={account} skeleton={<RowsSkeleton rows={3} lines={["w-32", "w-44"]} />}>
      {(data) => (
        <ul className="divide-y divide-border rounded-md border border-border">
          <MethodRow
            icon={<KeyRound aria-hidden="true" />}
            name={texts.emailMethod}
            detail={data.hasPassword ? data.user.email : texts.noPasswordYet}
            state={
              <Badge tone={data.hasPassword ? "success" : "neutral"}>
                {data.hasPassword ? texts.inUse : texts.notSet}
              </Badge>
            }
          />
          {Object.entries(data.providers).map(([id, connection]) => (
            <ProviderMethod key={id} id={id} {...connection} account={data} onChange={account.reload} />
          ))}
        </ul>
      )}
    </LoadedPart>
  </AccountCard>
);

type Provider = { id: string; label: string };
type ProviderMethodProps = Provider & {
  configured: boolean;
  linked: boolean;
  account: Account;
  onChange: () => void;
};

/** A provider as a way in: linked, to be linked, or why neither can be changed. */
const ProviderMethod = ({ id, label, configured, linked, account, onChange }: ProviderMethodProps) => {
  const detailId = useId();
  const isLast = isLastWayIn(account, id);
  return (
    <MethodRow
      icon={<ProviderMark id={id} />}
      name={label}
      detail={detailOf({ label, configured, linked, isLast })}
      detailId={detailId}
      state={<Badge tone={linked ? "success" : "neutral"}>{linked ? texts.linked : texts.notLinked}</Badge>}
      action={
        <>
          {linked && <Unlink id={id} label={label} isLast={isLast} detailId={detailId} onDone={onChange} />}
          {!linked && configured && <Link id={id} label={label} account={account} />}
        </>
      }
    />
  );
};

type MethodStatus = { label: string; configured: boolean; linked: boolean; isLast: boolean };

const detailOf = ({ label, configured, linked, isLast }: MethodStatus): string => {
  if (isLast) return texts.lastWayIn;
  if (!configured) return linked ? texts.linkedButMissing(label) : texts.notConfigured(label);
  return linked ? texts.canSignIn(label) : texts.couldSignIn(label);
};

type LinkProps = Provider & { account: Account };

const Link = ({ id, label, account }: LinkProps) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-label={texts.linkName(label)}
        onClick={() => setIsAsked(true)}
        className="max-sm:w-full"
      >
        {texts.link}
      </Button>
      {isAsked && <LinkDialog id={id} label={label} account={account} onClose={() => setIsAsked(false)} />}
    </>
  );
};

type UnlinkProps = Provider & { isLast: boolean; detailId: string; onDone: () => void };

const Unlink = ({ id, label, isLast, detailId, onDone }: UnlinkProps) => (
  <RequestButton
    variant="outline"
    size="sm"
    aria-label={texts.unlinkName(label)}
    aria-describedby={detailId}
    disabled={isLast}
    className="max-sm:w-full"
    asks={{
      title: texts.unlinkTitle(label),
      question: texts.unlinkQuestion(label),
      action: texts.unlinkName(label),
      fallback: texts.unlinkFailed,
      send: () => client.account.unlink({ provider: id }),
      onDone,
    }}
  >
    {texts.unlink}
  </RequestButton>
);

const marks = { google: CircleUserRound, github: GitBranch, oidc: Building2 } as const;

/** A plain sign for a provider, in the text's color; the providers' own logos are theirs. */
const ProviderMark = ({ id }: { id: string }) => {
  const Mark = marks[providerKind(id)];
  return <Mark aria-hidden="true" />;
};

/**
 * Whether nothing would open the account any more once this provider were taken off it. A linked provider that the server
 * has not set up lets no one in.
 */
export const isLastWayIn = (
  { hasPassword, providers }: Pick<Account, "hasPassword" | "providers">,
  provider: string,
): boolean => {
  const hasOther = Object.entries(providers).some(
    ([id, { linked, configured }]) => id !== provider && linked && configured,
  );
  return providers[provider]?.linked === true && !hasPassword && !hasOther;
};

type LinkDialogProps = LinkProps & { onClose: () => void };

/** Says what a link opens, has the owner prove themselves, and leads on to the provider. */
const LinkDialog = ({ id, label, account, onClose }: LinkDialogProps) => {
  const { user, hasPassword } = account;
  const leave = useLeaving(onClose);
  const { errors, ...form } = useForm({
    rules: {
      password: (value) => (hasPassword && value === "" ? pageAuthTexts.passwordRequired : null),
    },
    send: async ({ password }) => {
      const proof = hasPassword ? { password } : {};
      leave.to((await client.account.link({ provider: id, ...proof })).data.url);
    },
    explain: (error) => failureText(error, texts.linkFailed),
  });
  return (
    <FormDialog
      form={{ ...form, isBusy: form.isBusy || leave.isLeaving }}
      onClose={onClose}
      title={texts.linkTitle(label)}
      description={texts.linkLead(label)}
      action={texts.linkConfirm(label)}
    >
      <UsernameHint email={user.email} />
      {hasPassword ? (
        <PasswordField
          label={texts.yourPassword}
          name="password"
          autoComplete="current-password"
          error={errors.password}
        />
      ) : (
        <p className="text-sm">{texts.linkWithoutPassword}</p>
      )}
    </FormDialog>
  );
};

// Until the browser has left, the button stays as it was pressed. Back by the browser's own button the page is as it
// was left: the dialog ends then, and with it the password that was typed.
const useLeaving = (onReturn: () => void) => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    // Here, because a dialog that was closed meanwhile must lead nowhere: its effects do not run any more.
    if (url !== null) window.location.assign(url);
  }, [url]);
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn();
    };
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, [onReturn]);
  return { to: setUrl, isLeaving: url !== null };
};
