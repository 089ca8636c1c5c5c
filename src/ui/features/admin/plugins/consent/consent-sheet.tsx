import { type ReactNode, useCallback, useState } from "react";
import type {
  Permission,
  Plugin,
  PluginDetails,
  PluginSignature,
  PluginVersion,
  PublisherChange,
} from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../../access-error.tsx";
import {
  activateVersion,
  consentWanted,
  replacePublisher,
  togglePlugin,
  type WantedConsent,
} from "../api.ts";
import type { ConsentCase } from "../plugin-actions.tsx";
import { OriginNote, PermissionList, consentTexts as texts } from "./permission-list.tsx";

type EnableSheetProps = ConsentCase & { onClose: () => void; onChange: () => void };

/** Asks for what a plugin has to be granted before it is enabled, and enables it. */
export const EnableSheet = ({ plugin, onClose, onChange, ...asked }: EnableSheetProps) => {
  const [{ sha256, permissions, signature }, setWanted] = useState<WantedConsent>(asked);
  const allow = async () => {
    try {
      const { message } = await togglePlugin(plugin.name, true, sha256);
      notify({ tone: "success", message });
      onClose();
      onChange();
    } catch (error) {
      // Another package came meanwhile: the list below becomes what that one asks for.
      const wanted = consentWanted(error);
      if (wanted !== null) setWanted(wanted);
      // What failed may have left its reason at the plugin, to be seen below.
      else onChange();
      throw error;
    }
  };
  return (
    <ConsentSheet
      title={texts.enableTitle(plugin.title)}
      lead={permissions.length > 0 ? texts.enableLead(plugin.title) : texts.readFirst}
      permissions={permissions}
      signature={signature}
      action={texts.allowEnable}
      fallback={texts.enableFailed}
      onAllow={allow}
      onClose={onClose}
    />
  );
};

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

type ConsentSheetProps = {
  title: string;
  lead: string;
  permissions: readonly Permission[];
  signature: PluginSignature;
  /** Who signed the plugin until now, where that was someone else. */
  publisherChanged?: PublisherChange | null;
  /** What the button that allows it all says. */
  action: string;
  /** Said of a failure that brings no words of its own. */
  fallback: string;
  /** Does it; what it throws is shown, to be tried again. */
  onAllow: () => Promise<void>;
  onClose: () => void;
  /** More to say below the list. */
  children?: ReactNode;
  /** A third way, beside allowing and not now. */
  otherAction?: ReactNode;
};

/** Asks whether a plugin may do what it asks for: who made it, each permission in plain words, and the two answers. */
export const ConsentSheet = (props: ConsentSheetProps) => {
  const { title, lead, permissions, signature, action, fallback, onAllow, onClose } = props;
  const { act, isBusy, error } = useAct(onAllow);
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={title}
      description={lead}
      actions={
        <>
          {props.otherAction}
          <span className="ml-auto flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
            <Button variant="outline" onClick={onClose}>
              {texts.notNow}
            </Button>
            <Button isBusy={isBusy} onClick={act}>
              {action}
            </Button>
          </span>
        </>
      }
    >
      <div className="grid gap-5">
        {error !== null && <Alert severity="error">{failureText(error, fallback)}</Alert>}
        {permissions.length > 0 && <PermissionList permissions={permissions} />}
        <OriginNote signature={signature} changed={props.publisherChanged} />
        {props.children}
        <p className="text-pretty text-[0.8125rem] text-muted-foreground">{texts.allowed}</p>
      </div>
    </Sheet>
  );
};
