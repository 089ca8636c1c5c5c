import { FingerprintPattern } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { OwnPasskey, OwnPasskeys } from "#api/modules/passkeys/contract.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/api.ts";
import { longDate } from "#ui/lib/moments.ts";
import { canUsePasskeys, forgetPasskey } from "#ui/lib/passkeys.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart, MethodRow } from "./account-card.tsx";
import { passkeysTexts as texts } from "./passkeys-texts.ts";

const AddDialog = lazy(async () => ({ default: (await import("./passkey-dialogs.tsx")).AddPasskeyDialog }));
const RenameDialog = lazy(async () => ({
  default: (await import("./passkey-dialogs.tsx")).RenamePasskeyDialog,
}));

type PasskeysCardProps = { passkeys: Loaded<OwnPasskeys>; onChange: () => void };

/** The reader's passkeys: adding, renaming and removing them. `onChange` is for what depends on whether there are any. */
export const PasskeysCard = ({ passkeys, onChange }: PasskeysCardProps) => {
  const list = useRef<HTMLDivElement>(null);
  const refresh = () => {
    passkeys.reload();
    onChange();
  };
  const count = passkeys.data?.passkeys.length ?? 0;
  const before = useRef(count);
  useEffect(() => {
    // The row with the button that was pressed has gone: the list takes the focus instead.
    if (count < before.current) list.current?.focus();
    before.current = count;
  }, [count]);
  return (
    <AccountCard title={texts.title} lead={texts.lead}>
      <LoadedPart loaded={passkeys} skeleton={<Skeleton className="h-11 w-40" />}>
        {(data) => (
          <div ref={list} tabIndex={-1} className="grid gap-5 outline-none">
            {data.passkeys.length > 0 && (
              <ul aria-label={texts.title} className="divide-y divide-border rounded-md border border-border">
                {data.passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} onChange={refresh} />
                ))}
              </ul>
            )}
            <Add passkeys={data} onAdded={refresh} />
          </div>
        )}
      </LoadedPart>
    </AccountCard>
  );
};

type AddProps = { passkeys: OwnPasskeys; onAdded: () => void };

const Add = ({ passkeys: { isOffered, suggestedName }, onAdded }: AddProps) => {
  const [isAsked, setIsAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!isOffered || !canUsePasskeys())
    return (
      <p className="text-muted-foreground text-sm">{isOffered ? texts.unsupported : texts.notOffered}</p>
    );
  return (
    <>
      <Button ref={button} onClick={() => setIsAsked(true)} className="sm:justify-self-start">
        {texts.add}
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <AddDialog
            suggestedName={suggestedName}
            returnFocusTo={button}
            onClose={() => setIsAsked(false)}
            onAdded={onAdded}
          />
        </Suspense>
      )}
    </>
  );
};

type RowProps = { passkey: OwnPasskey; onChange: () => void };

const PasskeyRow = ({ passkey, onChange }: RowProps) => {
  const { name, host, worksHere, createdAt, lastUsedAt } = passkey;
  return (
    <MethodRow
      icon={<FingerprintPattern aria-hidden="true" />}
      name={name}
      detail={
        <>
          {texts.added(longDate(createdAt))} ·{" "}
          {lastUsedAt === null ? texts.neverUsed : texts.lastUsed(longDate(lastUsedAt))}
          {!worksHere && (
            <>
              <br />
              {texts.elsewhere(host)}
            </>
          )}
        </>
      }
      state={<State {...passkey} />}
      action={
        <div className="flex gap-2 max-sm:w-full">
          <Rename passkey={passkey} onDone={onChange} />
          <Remove passkey={passkey} onDone={onChange} />
        </div>
      }
    />
  );
};

const State = ({ isBlocked, isSynced }: OwnPasskey) => {
  if (isBlocked) return <Badge tone="danger">{texts.blocked}</Badge>;
  return <Badge tone="neutral">{isSynced ? texts.synced : texts.oneDevice}</Badge>;
};

type ActionProps = { passkey: OwnPasskey; onDone: () => void };

const Rename = ({ passkey, onDone }: ActionProps) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-label={texts.renameName(passkey.name)}
        onClick={() => setIsAsked(true)}
        className="max-sm:grow"
      >
        {texts.rename}
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <RenameDialog passkey={passkey} onClose={() => setIsAsked(false)} onRenamed={onDone} />
        </Suspense>
      )}
    </>
  );
};

const Remove = ({ passkey: { id, name, host, credentialId }, onDone }: ActionProps) => (
  <RequestButton
    variant="outline"
    size="sm"
    aria-label={texts.removeName(name)}
    className="max-sm:grow"
    asks={{
      title: texts.removeTitle(name),
      question: texts.removeQuestion,
      action: texts.removeConfirm,
      fallback: texts.removeFailed,
      send: () => client.passkeys.remove({ id }),
      onDone: () => {
        void forgetPasskey(host, credentialId);
        onDone();
      },
    }}
  >
    {texts.remove}
  </RequestButton>
);
