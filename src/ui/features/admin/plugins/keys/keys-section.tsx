import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { Plugin, TrustedKey } from "#contract/plugins.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../../access-error.tsx";
import { EmptyList } from "../../empty-list.tsx";
import { AddKeyDialog } from "./add-key-dialog.tsx";
import { listKeys, revokeKey } from "./api.ts";
import { KeyRow } from "./key-row.tsx";
import { keyTexts as texts } from "./texts.ts";

type KeysSectionProps = {
  /** To name those that a key vouches for. */
  plugins: readonly Plugin[];
  onChange: () => void;
};

/** The keys that vouch for plugins: whose they are, for what they count, and the way to trust or revoke one. */
export const KeysSection = ({ plugins, onChange }: KeysSectionProps) => {
  const { data: keys, error, reload } = useLoad(listKeys);
  const [isAdding, setIsAdding] = useState(false);
  const [asked, setAsked] = useState<TrustedKey | null>(null);
  const changed = () => {
    reload();
    onChange();
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-2xl grow basis-64 text-pretty text-muted-foreground text-sm">{texts.lead}</p>
        <Button onClick={() => setIsAdding(true)} className="max-sm:w-full">
          <KeyRound aria-hidden="true" />
          {texts.add}
        </Button>
      </div>
      {error !== null && <AccessError error={error} hasData={keys !== null} onRetry={reload} />}
      {keys === null && error === null && (
        <Card aria-busy="true" aria-label={texts.loading} className="p-4">
          <Skeleton className="h-24 w-full" />
        </Card>
      )}
      {keys !== null && (
        <Card>
          {keys.length === 0 ? (
            <EmptyList Icon={KeyRound} title={texts.none} text={texts.noneText} />
          ) : (
            <ul className="divide-y divide-border">
              {keys.map((key) => (
                <KeyRow key={key.keyId} trusted={key} onRevoke={() => setAsked(key)} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {isAdding && <AddKeyDialog onClose={() => setIsAdding(false)} onAdded={changed} />}
      {asked !== null && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={texts.revokeTitle(asked.label)}
          question={`${texts.revokeText} ${consequence(asked, plugins)}`}
          action={texts.revokeConfirm}
          fallback={texts.revokeFailed}
          onConfirm={async () => {
            notify({ tone: "success", message: await revokeKey(asked.keyId) });
            setAsked(null);
            changed();
          }}
        />
      )}
    </>
  );
};

const consequence = ({ keyId }: TrustedKey, plugins: readonly Plugin[]): string => {
  const stopped = plugins.filter(({ enabled, signature }) => enabled && signature.keyId === keyId);
  return stopped.length === 0
    ? texts.revokeStopsNone
    : texts.revokeStops(stopped.map(({ title }) => title).join(", "));
};
