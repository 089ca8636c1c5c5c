import { useCallback } from "react";
import type { Plugin, PluginDetails, PluginVersion } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../../access-error.tsx";
import { activateVersion, consentWanted, replacePublisher } from "../api.ts";
import { ConsentSheet } from "./consent-sheet.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

type ReviewSheetProps = {
  plugin: Plugin;
  /** A kept version of another publisher; the one that waits unless said. */
  version?: string | undefined;
  onClose: () => void;
  onChange: () => void;
};

/** A version that waits or is kept: what it asks for beyond what is granted, and what becomes of it. */
export const ReviewSheet = ({
  plugin: { name, title },
  version: wanted,
  onClose,
  onChange,
}: ReviewSheetProps) => {
  const load = useCallback(async () => (await client.plugins.get({ name })).data, [name]);
  const { data, error, reload } = useLoad(load);
  const done = (message: string) => {
    notify({ tone: "success", message });
    onClose();
    onChange();
  };
  const kept = data?.versions.find(({ version }) => version === (wanted ?? data.pendingVersion));
  if (data !== null && kept !== undefined)
    return <Review plugin={data} kept={kept} onStale={reload} onClose={onClose} onDone={done} />;
  return (
    <Sheet open onOpenChange={onClose} title={texts.updateTitle(title)}>
      {error !== null && <AccessError error={error} hasData={false} onRetry={reload} />}
      {error === null && data === null && <Skeleton className="h-40 w-full" />}
      {data !== null && <Alert severity="info">{texts.gone}</Alert>}
    </Sheet>
  );
};

type ReviewProps = {
  plugin: PluginDetails;
  kept: PluginVersion;
  /** Told when the version is another package by now than the one shown. */
  onStale: () => void;
  onClose: () => void;
  onDone: (message: string) => void;
};

const Review = ({ plugin, kept, onStale, onClose, onDone }: ReviewProps) => {
  const { name, title, pendingVersion, pendingPermissions } = plugin;
  const { version, sha256, signature, publisherChanged } = kept;
  const permissions = version === pendingVersion ? pendingPermissions : kept.permissions;
  const allow = async () => {
    try {
      const done =
        publisherChanged === null
          ? await activateVersion(name, version, sha256)
          : await replacePublisher(name, version, sha256);
      onDone(done.message);
    } catch (error) {
      if (consentWanted(error) !== null) onStale();
      throw error;
    }
  };
  const words =
    publisherChanged === null
      ? {
          title: texts.updateTitle(title),
          lead: permissions.length > 0 ? texts.updateLead(version) : texts.updateNothing(version),
          action: permissions.length > 0 ? texts.allowUpdate : texts.update,
          fallback: texts.updateFailed,
          effects: texts.keepsRunning,
        }
      : {
          title: texts.replaceTitle(title),
          lead: permissions.length > 0 ? texts.replaceLead(version) : texts.replaceNothing(version),
          action: texts.replaceAction,
          fallback: texts.replaceFailed,
          effects: texts.replaceEffects,
        };
  const discarding = useAct(async () =>
    onDone((await client.plugins.discardVersion({ name, version })).message),
  );
  return (
    <ConsentSheet
      title={words.title}
      lead={words.lead}
      permissions={permissions}
      signature={signature}
      publisherChanged={publisherChanged}
      action={words.action}
      fallback={words.fallback}
      onAllow={allow}
      onClose={onClose}
      otherAction={
        <Button variant="outline" isBusy={discarding.isBusy} onClick={discarding.act}>
          {texts.discard}
        </Button>
      }
    >
      {discarding.error !== null && (
        <Alert severity="error">{failureText(discarding.error, texts.discardFailed)}</Alert>
      )}
      <p className="text-[0.8125rem] text-muted-foreground">{words.effects}</p>
    </ConsentSheet>
  );
};
