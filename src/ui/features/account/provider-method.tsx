import { useId, useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { LinkDialog } from "./link-dialog.tsx";
import { MethodRow } from "./method-row.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { isLastWayIn } from "./sign-in-methods.ts";
import { accountScreenTexts as texts } from "./texts.ts";

type ProviderMethodProps = { name: ProviderName; account: Account; onChange: () => void };

/** Google or GitHub as a way in: linked, to be linked, or why neither can be changed. */
export const ProviderMethod = ({ name, account, onChange }: ProviderMethodProps) => {
  const label = providerLabels[name];
  const { configured, linked } = account.providers[name];
  const detailId = useId();
  const isLast = isLastWayIn(account, name);
  return (
    <MethodRow
      icon={<ProviderMark name={name} />}
      name={label}
      detail={detailOf({ label, configured, linked, isLast })}
      detailId={detailId}
      state={<Badge tone={linked ? "success" : "neutral"}>{linked ? texts.linked : texts.notLinked}</Badge>}
      action={
        <>
          {linked && <Unlink name={name} isLast={isLast} detailId={detailId} onDone={onChange} />}
          {!linked && configured && <Link name={name} account={account} />}
        </>
      }
    />
  );
};

type Standing = { label: string; configured: boolean; linked: boolean; isLast: boolean };

const detailOf = ({ label, configured, linked, isLast }: Standing): string => {
  if (isLast) return texts.lastWayIn;
  if (!configured) return linked ? texts.linkedButMissing(label) : texts.notConfigured(label);
  return linked ? texts.canSignIn(label) : texts.couldSignIn(label);
};

type LinkProps = { name: ProviderName; account: Account };

const Link = ({ name, account }: LinkProps) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-label={texts.linkName(providerLabels[name])}
        onClick={() => setIsAsked(true)}
        className="max-sm:w-full"
      >
        {texts.link}
      </Button>
      {isAsked && <LinkDialog name={name} account={account} onClose={() => setIsAsked(false)} />}
    </>
  );
};

type UnlinkProps = { name: ProviderName; isLast: boolean; detailId: string; onDone: () => void };

const Unlink = ({ name, isLast, detailId, onDone }: UnlinkProps) => {
  const label = providerLabels[name];
  const [isAsked, setIsAsked] = useState(false);
  const confirm = async () => {
    const { message } = await client.account.unlink({ provider: name });
    notify({ tone: "success", message });
    setIsAsked(false);
    onDone();
  };
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-label={texts.unlinkName(label)}
        aria-describedby={detailId}
        disabled={isLast}
        onClick={() => setIsAsked(true)}
        className="max-sm:w-full"
      >
        {texts.unlink}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.unlinkTitle(label)}
        question={texts.unlinkQuestion(label)}
        action={texts.unlinkName(label)}
        fallback={texts.unlinkFailed}
        onConfirm={confirm}
      />
    </>
  );
};
