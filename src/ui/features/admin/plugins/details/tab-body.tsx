import { Alert } from "#ui/components/ui/alert.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { LazyPart } from "../../lazy-part.tsx";
import type { Opened } from "./api.ts";
import type { DetailsTab } from "./details-query.ts";
import { frontendCode } from "./full-page.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { detailsTexts as texts } from "./texts.ts";

const settingsCode = async () => (await import("./settings/settings-tab.tsx")).SettingsTab;
const permissionsCode = async () => (await import("./permissions-tab.tsx")).PermissionsTab;
const versionsCode = async () => (await import("./versions-tab.tsx")).VersionsTab;
const logCode = async () => (await import("./log-tab.tsx")).LogTab;
const dataCode = async () => (await import("./data-tab.tsx")).DataTab;

type TabBodyProps = Opened & {
  tab: DetailsTab;
  reload: () => void;
  onDirty: (isDirty: boolean) => void;
  onReview: () => void;
  onDelete: () => void;
};

/** One part of a plugin's page. */
export const TabBody = ({ tab, plugin, plugins, reload, onDirty, onReview, onDelete }: TabBodyProps) => {
  const fallback = <Skeleton className="h-48 w-full" />;
  switch (tab) {
    case "page":
      return plugin.enabled ? (
        <LazyPart
          code={frontendCode}
          props={{ plugin, base: `/admin/plugins/${plugin.name}`, path: "" }}
          fallback={fallback}
        />
      ) : (
        <Alert severity="info">{texts.off}</Alert>
      );
    case "overview":
      return <OverviewTab plugin={plugin} plugins={plugins} />;
    case "settings":
      return <LazyPart code={settingsCode} props={{ name: plugin.name, onDirty }} fallback={fallback} />;
    case "permissions":
      return <LazyPart code={permissionsCode} props={{ plugin, onReview }} fallback={fallback} />;
    case "versions":
      return (
        <LazyPart code={versionsCode} props={{ plugin, onChange: reload, onReview }} fallback={fallback} />
      );
    case "log":
      return <LazyPart code={logCode} props={{ name: plugin.name }} fallback={fallback} />;
    case "data":
      return <LazyPart code={dataCode} props={{ plugin, onDelete }} fallback={fallback} />;
  }
};
