import { Upload } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { permissionTexts } from "#contract/permission-texts.ts";
import type {
  Permission,
  PermissionUse,
  PluginDetails,
  RefusedUse,
  SignatureState,
} from "#contract/plugins.ts";
import { LeaveQuestion } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { oneOf } from "#ui/lib/address-query.ts";
import { asSentence } from "#ui/lib/api.ts";
import { AccessError } from "../../access-error.tsx";
import { formatCount, formatDateTime } from "../../format.ts";
import { LazyPart } from "../../list-parts.tsx";
import { PageHeader, SafeModeBanner } from "../../page-header.tsx";
import { TabLinks } from "../../tab-links.tsx";
import type { Opened } from "../api.ts";
import { EnableSheet, ReviewSheet } from "../consent/consent-sheet.tsx";
import { consentTexts, PermissionList, Reach } from "../consent/permission-list.tsx";
import { DeletePluginDialog } from "../delete-plugin-dialog.tsx";
import {
  type ConsentCase,
  PluginActions,
  PluginMarks,
  type PluginToggle,
  usePluginToggle,
} from "../plugin-actions.tsx";
import { couldNotStart, hasFailed, pluginListTexts } from "../plugin-status.ts";
import { UploadDialog } from "../upload/lazy-upload-dialog.tsx";
import { frontendCode, PluginsLink } from "./full-page.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { detailsTexts, settingsTabTexts, permissionsTabTexts as texts } from "./texts.ts";

/** What is open above the page. */
type Above =
  | { kind: "upload" | "delete" }
  | { kind: "review"; version?: string }
  | { kind: "consent"; wanted: ConsentCase };

type PluginDetailsViewProps = Opened & { reload: () => void; error: unknown };

// What someone is busy with there stays as it is while they look at another part.
const isKept = (tab: DetailsTab) => tab === "page" || tab === "settings";

/** Everything about a plugin, by parts, and what can be done about it. */
export const PluginDetailsView = ({ plugin, plugins, reload, error }: PluginDetailsViewProps) => {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const [above, setAbove] = useState<Above | null>(null);
  const [isDirty, setIsDirty] = useState(false);
  const listed = useMemo(() => [plugin], [plugin]);
  const toggle = usePluginToggle(listed, reload, (wanted) => setAbove({ kind: "consent", wanted }));
  const tabs = tabsOf(plugin);
  const tab = tabAt(tabs, params);
  const [seen, setSeen] = useState<readonly DetailsTab[]>([tab]);
  if (!seen.includes(tab)) setSeen([...seen, tab]);
  const close = () => setAbove(null);
  const done = { onClose: close, onChange: reload };
  return (
    <div className="grid gap-6">
      <PluginHead
        plugin={plugin}
        toggle={toggle}
        onDelete={() => setAbove({ kind: "delete" })}
        onUpdate={() => setAbove({ kind: "upload" })}
      />
      {error !== null && <AccessError error={error} hasData onRetry={reload} />}
      <SafeModeBanner />
      <PluginAlerts plugin={plugin} toggle={toggle} onReview={() => setAbove({ kind: "review" })} />
      <TabLinks
        label={detailsTexts.which}
        tabs={Object.fromEntries(tabs.map((name) => [name, detailsTexts.tabs[name]]))}
        current={tab}
        addressOf={(name) => tabAddress(plugin.name, name, tabs)}
        className="edge-shadows [--edge-cover:var(--background)]"
      />
      {tabs
        .filter((other) => other === tab || (isKept(other) && seen.includes(other)))
        .map((other) => (
          <div key={other} hidden={other !== tab} className="min-w-0">
            <TabBody
              tab={other}
              {...{ plugin, plugins, reload }}
              onDirty={setIsDirty}
              onReview={(version) =>
                setAbove({ kind: "review", ...(version === undefined ? {} : { version }) })
              }
              onDelete={() => setAbove({ kind: "delete" })}
            />
          </div>
        ))}
      {above?.kind === "upload" && (
        <UploadDialog
          {...done}
          file={null}
          onEnable={(other) => toggle.toggle(other, true)}
          onReview={() => setAbove({ kind: "review" })}
        />
      )}
      {above?.kind === "consent" && <EnableSheet {...done} {...above.wanted} />}
      {above?.kind === "review" && <ReviewSheet {...done} plugin={plugin} version={above.version} />}
      {above?.kind === "delete" && (
        <DeletePluginDialog
          onClose={close}
          onChange={() => navigate("/admin/plugins")}
          plugin={plugin}
          plugins={plugins}
        />
      )}
      <LeaveQuestion isHeld={isDirty} question={settingsTabTexts.leaveText} />
    </div>
  );
};

type PluginHeadProps = {
  plugin: PluginDetails;
  toggle: PluginToggle;
  onDelete: () => void;
  onUpdate: () => void;
};

/** What a plugin is called, how it stands, and what can be done about it as a whole. */
const PluginHead = ({ plugin, toggle, onDelete, onUpdate }: PluginHeadProps) => {
  const { title, version, type, core, description, signature } = plugin;
  return (
    <div className="grid gap-3">
      <PluginsLink />
      <PageHeader
        title={title}
        lead={description}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            {!core && (
              <Button variant="outline" size="sm" onClick={onUpdate}>
                <Upload aria-hidden="true" />
                {detailsTexts.update}
              </Button>
            )}
            <PluginActions plugin={plugin} toggle={toggle} onDelete={onDelete} isInline />
          </div>
        }
      />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 justify-self-start rounded-md border border-border bg-card px-3 py-1.5 text-[0.8125rem] text-muted-foreground">
        <span>{pluginListTexts.version(version)}</span>
        <span>{type}</span>
        {core && <Badge tone="primary">{pluginListTexts.core}</Badge>}
        <PluginMarks plugin={plugin} isOn={toggle.isOn(plugin)} />
        {signature.state !== "modified" && (
          <Badge tone={tones[signature.state]}>{detailsTexts.signatures[signature.state]}</Badge>
        )}
      </div>
    </div>
  );
};

const tones = {
  bundled: "primary",
  signed: "success",
  unsigned: "warning",
  modified: "danger",
  invalid: "danger",
  revoked: "danger",
} as const satisfies Record<SignatureState, string>;

type PluginAlertsProps = { plugin: PluginDetails; toggle: PluginToggle; onReview: () => void };

/** What has to be decided about a plugin: one that failed, and a version that waits. */
const PluginAlerts = ({ plugin, toggle, onReview }: PluginAlertsProps) => {
  const { name, state, error, pendingVersion, publisherChanged } = plugin;
  const isBroken = hasFailed(plugin);
  return (
    <>
      {isBroken && (
        <Alert
          severity="error"
          title={state === "quarantined" ? detailsTexts.quarantined : detailsTexts.failed}
          actions={
            <Button
              variant="outline"
              size="sm"
              isBusy={toggle.isBusy(plugin)}
              onClick={() => toggle.tryAgain(plugin)}
            >
              {detailsTexts.enableAgain}
            </Button>
          }
        >
          {error ?? detailsTexts.failedText}
        </Alert>
      )}
      {couldNotStart(plugin) && (
        <Alert
          severity="error"
          title={detailsTexts.couldNotStart}
          actions={
            <Link
              href={`/admin/plugins/${name}?tab=log`}
              className={buttonVariants({ variant: "outline", size: "sm" })}
            >
              {detailsTexts.seeLog}
            </Link>
          }
        >
          {error}
        </Alert>
      )}
      {pendingVersion !== null && (
        <Alert
          severity="warning"
          title={detailsTexts.pending(pendingVersion)}
          actions={
            <Button variant="outline" size="sm" aria-haspopup="dialog" onClick={onReview}>
              {detailsTexts.review}
            </Button>
          }
        >
          {/* The error of a plugin that runs is that of its waiting version. */}
          {!isBroken && error !== null && `${asSentence(error)} `}
          {publisherChanged !== null && `${consentTexts.publisherChanged(publisherChanged)} `}
          {detailsTexts.pendingText}
        </Alert>
      )}
    </>
  );
};

type TabBodyProps = Opened & {
  tab: DetailsTab;
  reload: () => void;
  onDirty: (isDirty: boolean) => void;
  /** Reviews another publisher's version, or the one that waits. */
  onReview: (version?: string) => void;
  onDelete: () => void;
};

/** One part of a plugin's page. */
const TabBody = ({ tab, plugin, plugins, reload, onDirty, onReview, onDelete }: TabBodyProps) => {
  switch (tab) {
    case "page":
      return plugin.enabled ? (
        <LazyPart
          code={frontendCode}
          props={{ plugin, base: `/admin/plugins/${plugin.name}`, path: "" }}
          fallback={waiting}
        />
      ) : (
        <Alert severity="info">{detailsTexts.off}</Alert>
      );
    case "overview":
      return <OverviewTab plugin={plugin} plugins={plugins} />;
    case "settings":
      return <LazyPart code={settingsCode} props={{ name: plugin.name, onDirty }} fallback={waiting} />;
    case "permissions":
      return <PermissionsTab plugin={plugin} onReview={() => onReview()} />;
    case "versions":
      return (
        <LazyPart code={versionsCode} props={{ plugin, onChange: reload, onReview }} fallback={waiting} />
      );
    case "log":
      return <LazyPart code={logCode} props={{ name: plugin.name }} fallback={waiting} />;
    case "data":
      return <LazyPart code={dataCode} props={{ plugin, onChange: reload, onDelete }} fallback={waiting} />;
  }
};

// Parts that few look at come when they are opened.
const versionsCode = async () => (await import("./versions-tab.tsx")).VersionsTab;
const dataCode = async () => (await import("./data-tab.tsx")).DataTab;
const settingsCode = async () => (await import("./settings/plugin-settings-form.tsx")).SettingsTab;
const logCode = async () => (await import("./log-tab.tsx")).LogTab;
const waiting = <Skeleton className="h-48 w-full" />;

/** The parts of a plugin's page. */
const detailsTabs = ["page", "overview", "settings", "permissions", "versions", "log", "data"] as const;
type DetailsTab = (typeof detailsTabs)[number];

/** The parts that a plugin has: its own page first, if there is one, and settings only where it has any. */
const tabsOf = ({ frontend, hasSettings }: PluginDetails): DetailsTab[] =>
  detailsTabs.filter((tab) => {
    if (tab === "page") return frontend !== null;
    return tab === "settings" ? hasSettings : true;
  });

/** The part that the address asks for; the first one where it asks for none, or for one that is not there. */
const tabAt = (tabs: readonly DetailsTab[], params: URLSearchParams): DetailsTab =>
  oneOf(tabs, params.get("tab")) ?? tabs[0] ?? "overview";

/** The address of a part. */
const tabAddress = (name: string, tab: string, tabs: readonly DetailsTab[]): string =>
  tab === tabs[0] ? `/admin/plugins/${name}` : `/admin/plugins/${name}?tab=${tab}`;

type PermissionsTabProps = { plugin: PluginDetails; onReview: () => void };

/** What a plugin may do beside what it did, what it was refused, and what a version that waits asks for beyond that. */
const PermissionsTab = ({ plugin, onReview }: PermissionsTabProps) => {
  const { granted, refused, requested, pendingVersion, pendingPermissions } = plugin;
  const missing = requested.filter(({ name }) => !granted.some((one) => one.name === name));
  return (
    <div className="grid gap-3">
      {pendingVersion !== null && pendingPermissions.length > 0 && (
        <PermissionCard
          title={texts.pending(pendingVersion)}
          permissions={pendingPermissions}
          action={
            <Button size="sm" aria-haspopup="dialog" onClick={onReview}>
              {detailsTexts.review}
            </Button>
          }
        />
      )}
      <Card>
        <CardHeader>
          <CardTitle>{texts.granted}</CardTitle>
        </CardHeader>
        {granted.length === 0 ? (
          <p className="px-5 pb-4 text-muted-foreground text-sm">{texts.none}</p>
        ) : (
          <ul className="divide-y divide-border border-border border-t">
            {granted.map((permission) => (
              <Granted key={permission.name} permission={permission} />
            ))}
          </ul>
        )}
      </Card>
      {refused.length > 0 && (
        <Card>
          <CardHeader>
            <CardTitle>{texts.triedWithout}</CardTitle>
          </CardHeader>
          <ul className="divide-y divide-border border-border border-t">
            {refused.map((use) => (
              <Refused key={use.name} use={use} />
            ))}
          </ul>
        </Card>
      )}
      {missing.length > 0 && <PermissionCard title={texts.notYet} permissions={missing} />}
    </div>
  );
};

type PermissionCardProps = { title: string; permissions: readonly Permission[]; action?: ReactNode };

const PermissionCard = ({ title, permissions, action }: PermissionCardProps) => (
  <Card>
    <CardHeader>
      <CardTitle>{title}</CardTitle>
      {action}
    </CardHeader>
    <CardContent>
      <PermissionList permissions={permissions} />
    </CardContent>
  </Card>
);

const Granted = ({ permission }: { permission: PermissionUse }) => {
  const { name, used, refused, lastUsedAt } = permission;
  const { title, text } = permissionTexts[name];
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium">{title}</p>
        <p className="text-pretty text-[0.8125rem] text-muted-foreground">{text}</p>
        <Reach permission={permission} />
      </div>
      <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
        {used === 0 ? texts.never : texts.used(times(used))}
        {refused > 0 && <span className="text-destructive">, {texts.refused(times(refused))}</span>}
        {lastUsedAt !== null && `, ${texts.last(formatDateTime(lastUsedAt))}`}
      </p>
    </li>
  );
};

const Refused = ({ use: { name, refused } }: { use: RefusedUse }) => (
  <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm">
    <p className="font-medium">{permissionTexts[name].title}</p>
    <p className="text-[0.8125rem] text-destructive tabular-nums">{texts.refusedAlone(times(refused))}</p>
  </li>
);

const times = (amount: number) => texts.times(formatCount(amount), amount === 1);
