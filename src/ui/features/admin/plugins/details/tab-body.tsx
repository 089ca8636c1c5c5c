import { Alert } from "#ui/components/ui/alert.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import type { Opened } from "./api.ts";
import { DataTab } from "./data-tab.tsx";
import type { DetailsTab } from "./details-query.ts";
import { frontendCode } from "./full-page.tsx";
import { LazyPart } from "./lazy-part.tsx";
import { LogTab } from "./log-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PermissionsTab } from "./permissions-tab.tsx";
import { SettingsTab } from "./settings/settings-tab.tsx";
import { detailsTexts as texts } from "./texts.ts";
import { VersionsTab } from "./versions-tab.tsx";

type TabBodyProps = Opened & {
  tab: DetailsTab;
  reload: () => void;
  onDirty: (isDirty: boolean) => void;
  /** Reviews another publisher's version, or the one that waits. */
  onReview: (version?: string) => void;
  onDelete: () => void;
};

/** One part of a plugin's page. */
export const TabBody = ({ tab, plugin, plugins, reload, onDirty, onReview, onDelete }: TabBodyProps) => {
  switch (tab) {
    case "page":
      return plugin.enabled ? (
        <LazyPart
          code={frontendCode}
          props={{ plugin, base: `/admin/plugins/${plugin.name}`, path: "" }}
          fallback={<Skeleton className="h-48 w-full" />}
        />
      ) : (
        <Alert severity="info">{texts.off}</Alert>
      );
    case "overview":
      return <OverviewTab plugin={plugin} plugins={plugins} />;
    case "settings":
      return <SettingsTab name={plugin.name} onDirty={onDirty} />;
    case "permissions":
      return <PermissionsTab plugin={plugin} onReview={() => onReview()} />;
    case "versions":
      return <VersionsTab plugin={plugin} onChange={reload} onReview={onReview} />;
    case "log":
      return <LogTab name={plugin.name} />;
    case "data":
      return <DataTab plugin={plugin} onChange={reload} onDelete={onDelete} />;
  }
};
