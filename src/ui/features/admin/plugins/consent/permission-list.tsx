import { Check, TriangleAlert } from "lucide-react";
import {
  isHeavy,
  originText,
  permissionTexts,
  reasonText,
  seriousText,
  weightiestFirst,
} from "#contract/permission-texts.ts";
import type { Permission, PluginSignature, PublisherChange } from "#contract/plugins.ts";
import { Alert, type AlertSeverity } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { cn } from "#ui/lib/cn.ts";

type PermissionListProps = {
  permissions: readonly Permission[];
  /** Those that are marked as new. */
  added?: readonly Permission[];
};

/** Permissions in plain words with what they reach and why, the far-reaching ones first. */
export const PermissionList = ({ permissions, added = [] }: PermissionListProps) => {
  if (permissions.length === 0) return <p className="text-muted-foreground text-sm">{consentTexts.none}</p>;
  return (
    <ul className="divide-y divide-border rounded-md border border-border">
      {weightiestFirst(permissions).map((permission) => (
        <Item
          key={permission.name}
          permission={permission}
          isNew={added.some(({ name }) => name === permission.name)}
        />
      ))}
    </ul>
  );
};

const Item = ({ permission, isNew }: { permission: Permission; isNew: boolean }) => {
  const { title, text } = permissionTexts[permission.name];
  const Icon = isHeavy(permission) ? TriangleAlert : Check;
  return (
    <li className="flex gap-3 px-3.5 py-3 text-sm">
      <Icon
        aria-hidden="true"
        className={cn(
          "mt-0.5 size-4 shrink-0",
          isHeavy(permission) ? "text-warning" : "text-muted-foreground",
        )}
      />
      <div className="grid min-w-0 grow gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {title}
          {isHeavy(permission) && <span className="sr-only">({seriousText})</span>}
          {isNew && <Badge tone="primary">{consentTexts.isNew}</Badge>}
        </p>
        <p className="text-pretty text-[0.8125rem] text-muted-foreground">{text}</p>
        <Reach permission={permission} />
      </div>
    </li>
  );
};

/** What a permission reaches, and why its plugin wants it. */
export const Reach = ({ permission: { hosts = [], plugins = [], reason } }: { permission: Permission }) => (
  <>
    {[...hosts, ...plugins].map((reached) => (
      <code key={reached} className="wrap-anywhere font-mono text-[0.8125rem]">
        {reached}
      </code>
    ))}
    {reason !== undefined && <p className="wrap-anywhere text-[0.8125rem]">{reasonText(reason)}</p>}
  </>
);

type OriginNoteProps = {
  signature: PluginSignature;
  /** From whom to whom the plugin would go with it. */
  changed?: PublisherChange | null | undefined;
};

/** Where a package comes from, how far that can be relied on, and whether it came from someone else before. */
export const OriginNote = ({ signature, changed = null }: OriginNoteProps) => (
  <>
    {changed !== null && <Alert severity="warning">{consentTexts.publisherChanged(changed)}</Alert>}
    <Alert severity={severities[signature.state]}>{originText(signature)}</Alert>
  </>
);

const severities: Record<PluginSignature["state"], AlertSeverity> = {
  bundled: "success",
  signed: "success",
  unsigned: "warning",
  modified: "error",
  invalid: "error",
  revoked: "error",
};

/** Words around permissions. */
export const consentTexts = {
  none: "It requests no permissions beyond its own settings.",
  isNew: "New",
  enableTitle: (title: string) => `Enable ${title}?`,
  enableLead: (title: string) => `${title} wants permission to:`,
  readFirst: "Read this first.",
  updateTitle: (title: string) => `Update ${title}?`,
  updateLead: (version: string) => `Version ${version} requests more permissions than you have granted:`,
  updateNothing: (version: string) => `Version ${version} requests no new permissions.`,
  keepsRunning: "The current version keeps running until then.",
  allowed: "You can disable it at any time. Anything not on this list is denied.",
  allowEnable: "Allow and enable",
  allowUpdate: "Allow and update",
  update: "Update",
  gone: "This version is no longer waiting: someone else has already decided.",
  notNow: "Not now",
  discard: "Discard this version",
  enableFailed: "Error toggling plugin",
  updateFailed: "The version could not be installed",
  discardFailed: "The version could not be discarded",
  replaceTitle: (title: string) => `Replace the publisher of ${title}?`,
  replaceLead: (version: string) => `Version ${version} wants permission to:`,
  replaceNothing: (version: string) =>
    `Version ${version} requests no permissions beyond those its own publisher was granted before.`,
  replaceAction: "Replace publisher",
  replaceFailed: "The publisher could not be replaced",
  replaceEffects:
    "It starts without the old plugin's settings, secrets, data, files and permissions, which are kept for the old publisher. All administrators get an email.",
  publisherChanged: ({ fromName, toName }: PublisherChange) =>
    `The publisher changes from ${fromName} to ${toName}. Replace it only if you know why.`,
} as const;
