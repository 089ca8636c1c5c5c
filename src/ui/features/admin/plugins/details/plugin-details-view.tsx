import { useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { AccessError } from "../../access-error.tsx";
import { SafeModeBanner } from "../../safe-mode-banner.tsx";
import { EnableSheet } from "../consent/enable-sheet.tsx";
import { ReviewSheet } from "../consent/review-sheet.tsx";
import { DeletePluginDialog } from "../delete-plugin-dialog.tsx";
import { UploadDialog } from "../upload/upload-dialog.tsx";
import { type ConsentCase, usePluginToggle } from "../use-plugin-toggle.ts";
import type { Opened } from "./api.ts";
import { type DetailsTab, tabAt, tabsOf } from "./details-query.ts";
import { DetailsTabs } from "./details-tabs.tsx";
import { PluginAlerts } from "./plugin-alerts.tsx";
import { PluginHead } from "./plugin-head.tsx";
import { TabBody } from "./tab-body.tsx";
import { settingsTabTexts as texts } from "./texts.ts";

/** What is open above the page. */
type Above =
  | { kind: "upload" | "delete" }
  | { kind: "review"; version?: string }
  | { kind: "consent"; wanted: ConsentCase };

type PluginDetailsViewProps = Opened & { reload: () => void; error: unknown };

// What somebody is busy with there stays as it is while he looks at another part.
const isKept = (tab: DetailsTab) => tab === "page" || tab === "settings";

/** Everything about a plugin, by parts, and what can be done about it. */
export const PluginDetailsView = ({ plugin, plugins, reload, error }: PluginDetailsViewProps) => {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const [above, setAbove] = useState<Above | null>(null);
  const [isDirty, setIsDirty] = useState(false);
  const guard = useLeaveGuard(isDirty);
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
      <DetailsTabs name={plugin.name} tab={tab} tabs={tabs} />
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
      <ConfirmDialog
        open={guard.isAsking}
        onClose={guard.stay}
        title={texts.leaveTitle}
        question={texts.leaveText}
        action={texts.leave}
        fallback={texts.leaveFailed}
        onConfirm={async () => guard.leave()}
      />
    </div>
  );
};
