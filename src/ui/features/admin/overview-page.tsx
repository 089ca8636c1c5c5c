import { RefreshCw } from "lucide-react";
import { CardsSkeleton } from "#ui/components/page-skeleton.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { isUnreachable } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { pluginRegistry } from "#ui/plugin-host/plugin-registry.ts";
import { useRegistry } from "#ui/plugin-host/use-registry.ts";
import { AccessBanner } from "./access-banner.tsx";
import { AccessError } from "./access-error.tsx";
import { getAdminAccess, getOverview } from "./api.ts";
import { AttentionList } from "./attention-list.tsx";
import { HealthTiles } from "./health-tiles.tsx";
import { loadFailureText } from "./load-failure.ts";
import { PageHeader } from "./page-header.tsx";
import { AdminMenu, PluginCards } from "./plugin-menu.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { SafeModeAlert } from "./safe-mode-banner.tsx";
import { SystemInformation } from "./system-information.tsx";
import { overviewTexts as texts } from "./texts.ts";

const refreshMs = 30_000;

/** The admin dashboard: answers "is everything all right?" in one look, and says what to do where it is not. */
export const AdminOverviewPage = () => {
  const { user } = useSession();
  const access = useLoad(getAdminAccess);
  const system = useLoad(getOverview, refreshMs);
  const registry = useRegistry();
  const reload = () => {
    void pluginRegistry.refreshSettings();
    access.reload();
    system.reload();
  };
  const isStale = system.data !== null && isUnreachable(system.error);
  if (access.error !== null && access.data === null) {
    return (
      <div className="grid gap-6">
        <PageHeader title={texts.title} />
        <AccessError error={access.error} hasData={false} onRetry={reload} />
      </div>
    );
  }
  return (
    <div className="grid gap-6">
      <PageHeader
        title={texts.title}
        lead={user === null ? undefined : texts.welcome(user.name)}
        actions={
          <Button variant="outline" size="sm" onClick={reload} aria-busy={system.isLoading}>
            <RefreshCw aria-hidden="true" />
            {texts.refresh}
          </Button>
        }
      />
      {/* All at once: no part that is there already is pushed away by one that comes later. */}
      {access.data === null || (system.data === null && system.error === null) || !registry.isInitialized ? (
        <CardsSkeleton />
      ) : (
        <>
          <AccessBanner access={access.data} />
          {system.error !== null &&
            (isStale ? (
              <AccessError error={system.error} hasData onRetry={reload} />
            ) : (
              <Alert severity="error" title={texts.healthFailed}>
                {loadFailureText(system.error)}
              </Alert>
            ))}
          <div className={cn("grid gap-6", system.error !== null && "opacity-70")}>
            {system.data?.status?.isSafeMode === true && <SafeModeAlert />}
            {system.data !== null && <AttentionList overview={system.data} />}
            {system.data !== null && <HealthTiles {...system.data} />}
            {system.data !== null && system.data.week !== null && <RecentActivity days={system.data.week} />}
            <AdminMenu registry={registry} />
            <PluginCards registry={registry} />
            <SystemInformation
              user={user}
              access={access.data}
              info={system.data?.info ?? null}
              hasPlugins={registry.listed > 0}
            />
          </div>
        </>
      )}
    </div>
  );
};
