import { RefreshCw } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { AdminAccess } from "#api/modules/system/contract.ts";
import { DayBars, type DayCount } from "#ui/components/day-bars.tsx";
import { CardsSkeleton } from "#ui/components/page-skeleton.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { isUnreachable } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { PluginIcon } from "#ui/plugin-host/plugin-icon.tsx";
import { cardsOf, menuItemsOf, type RegistryState } from "#ui/plugin-host/registry.ts";
import { pluginRegistry, useRegistry } from "#ui/plugin-host/use-registry.ts";
import { AccessError, loadFailureText } from "./access-error.tsx";
import { getAdminAccess, getOverview } from "./api.ts";
import { AttentionList } from "./attention.tsx";
import { formatDateTime } from "./format.ts";
import { PageHeader, SafeModeAlert } from "./page-header.tsx";
import { HealthTiles, SystemInformation } from "./system-information.tsx";
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
      {/* All immediately: no part that is there already is pushed away by one that comes later. */}
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

/** Says that the reader is let in, with which plugins, and when that was. */
const AccessBanner = ({ access }: { access: AdminAccess }) => (
  <Alert title={texts.granted}>
    <dl className="flex flex-wrap gap-x-6 gap-y-0.5 text-[0.8125rem]">
      <div>
        <dt className="mr-1.5 inline text-muted-foreground">{texts.plugins}:</dt>
        <dd className="inline">
          {access.availablePlugins.length === 0 ? texts.none : access.availablePlugins.join(", ")}
        </dd>
      </div>
      <div>
        <dt className="mr-1.5 inline text-muted-foreground">{texts.lastAccess}:</dt>
        <dd className="inline">
          <time dateTime={access.timestamp}>{formatDateTime(access.timestamp)}</time>
        </dd>
      </div>
    </dl>
  </Alert>
);

/** How much was recorded each day, and the way to it. */
const RecentActivity = ({ days }: { days: readonly DayCount[] }) => {
  const [, navigate] = useLocation();
  return (
    <Card aria-label={texts.week}>
      <CardHeader>
        <CardTitle>{texts.week}</CardTitle>
        <Link
          href="/admin/activity"
          className="whitespace-nowrap text-[0.8125rem] text-primary underline underline-offset-4"
        >
          {texts.showActivities}
        </Link>
      </CardHeader>
      <CardContent>
        <DayBars
          isSmall
          days={days}
          label={texts.week}
          onPick={(day) => navigate(`/admin/activity?startDate=${day}&endDate=${day}`)}
        />
      </CardContent>
    </Card>
  );
};

/** The ways to what plugins add to the admin area, and to the plugins themselves. */
const AdminMenu = ({ registry }: { registry: RegistryState }) => (
  <Card aria-label={texts.menu}>
    <CardHeader>
      <CardTitle>{texts.menu}</CardTitle>
    </CardHeader>
    <ul className="divide-y divide-border border-border border-t">
      {[...menuItemsOf(registry), management].map(({ id, title, description, path, icon }) => (
        <li
          key={id}
          className="relative flex min-h-11 items-center gap-3 px-5 py-2 text-sm hover:bg-muted/60"
        >
          <PluginIcon name={icon} className="size-4 shrink-0 text-muted-foreground" />
          <div className="min-w-0">
            <Link
              href={path}
              className="wrap-anywhere font-medium outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
            >
              {title}
            </Link>
            {description !== "" && (
              <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">{description}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  </Card>
);

// No plugin's name has a slash.
const management = {
  id: "/",
  title: texts.management,
  description: texts.managementText,
  path: "/admin/plugins",
  icon: "Extension",
};

/** A card for each plugin that has one. */
const PluginCards = ({ registry }: { registry: RegistryState }) => {
  const cards = cardsOf(registry);
  if (cards.length === 0) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {cards.map(({ id, title, description, path, icon, color, buttonText }) => (
        <Card key={id} aria-label={title} className="flex min-w-0 flex-col gap-3 p-5">
          <div className="flex items-center gap-2.5">
            <PluginIcon name={icon} className={cn("size-5 shrink-0", colorOf(color))} />
            <CardTitle className="wrap-anywhere min-w-0">{title}</CardTitle>
          </div>
          <p className="wrap-anywhere grow text-[0.8125rem] text-muted-foreground">{description}</p>
          <Link
            href={path}
            aria-label={texts.openCard(buttonText, title)}
            className={cn(buttonVariants({ variant: "outline", size: "sm" }), "self-start")}
          >
            {buttonText}
          </Link>
        </Card>
      ))}
    </div>
  );
};

const colors: Record<string, string> = {
  primary: "text-primary",
  success: "text-success",
  warning: "text-warning",
  info: "text-info",
  error: "text-destructive",
};

const colorOf = (name: string): string =>
  (Object.hasOwn(colors, name) ? colors[name] : undefined) ?? "text-primary";
