import { CircleAlert, CircleCheck, Info, RefreshCw, TriangleAlert } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { BackupHealth } from "#api/modules/backups/contract.ts";
import type { AdminAccess } from "#api/modules/system/contract.ts";
import { backupTrouble } from "#contract/backup-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { programSite } from "#contract/program-site.ts";
import { isProgramsHome, type Site, siteOf, unsetSite } from "#contract/site.ts";
import { DayBars, type DayCount } from "#ui/components/day-bars.tsx";
import { CardsSkeleton } from "#ui/components/page-skeleton.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { asSentence, isUnreachable } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { pluginRegistry, useRegistry } from "#ui/plugin-host/load-frontend.ts";
import { PluginIcon } from "#ui/plugin-host/plugin-icon.tsx";
import { cardsOf, menuItemsOf, type RegistryState } from "#ui/plugin-host/registry.ts";
import { AccessError, loadFailureText } from "./access-error.tsx";
import { getAdminAccess, getOverview, type Overview } from "./api.ts";
import { formatDateTime } from "./format.ts";
import { PageHeader, SafeModeAlert } from "./page-header.tsx";
import { hasFailed } from "./plugins/plugin-status.ts";
import { HealthTiles, SystemInformation } from "./system-information.tsx";
import { attentionTexts, overviewTexts, overviewTexts as texts } from "./texts.ts";

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

/** What needs attention with its remedy, or that nothing does. */
const AttentionList = ({ overview }: { overview: Overview }) => {
  const items = attentionItems(overview, useSite());
  if (items.length === 0) return <AllRight />;
  return (
    <Card aria-label={overviewTexts.attention}>
      <CardHeader>
        <CardTitle>{overviewTexts.attention}</CardTitle>
        <Badge>{items.length}</Badge>
      </CardHeader>
      <ul className="divide-y divide-border border-border border-t">
        {items.map(({ tone, title, remedy, link }) => {
          const { Icon, tint } = looks[tone];
          return (
            <li key={`${title} ${link?.href}`} className="flex gap-3 px-5 py-3">
              <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", tint)} />
              <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <div className="min-w-48 grow basis-0">
                  <p className="font-medium text-sm">{title}</p>
                  <p className="text-pretty text-muted-foreground text-[0.8125rem]">{remedy}</p>
                </div>
                {link !== undefined && (
                  <Link href={link.href} className={buttonVariants({ variant: "outline", size: "sm" })}>
                    {link.label}
                  </Link>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};

const AllRight = () => (
  <Card className="flex items-center gap-3 px-5 py-4">
    <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
    <div>
      <p className="font-medium text-sm">{overviewTexts.allRight}</p>
      <p className="text-muted-foreground text-[0.8125rem]">{overviewTexts.allRightText}</p>
    </div>
  </Card>
);

const looks = {
  error: { Icon: CircleAlert, tint: "text-destructive" },
  warning: { Icon: TriangleAlert, tint: "text-warning" },
  info: { Icon: Info, tint: "text-info" },
} as const;

type AttentionLink = { href: string; label: string };

/** Something that an administrator should know, and what to do about it. */
type AttentionItem = {
  tone: "error" | "warning" | "info";
  title: string;
  remedy: string;
  link?: AttentionLink;
};

// A local database answers in under a millisecond, one in the next rack in a few: this is trouble by any measure.
const slowDatabaseMs = 250;
// The email worker sends within seconds; that many waiting means that it does not get rid of them.
const manyMailsWaiting = 20;

/** What needs attention, the gravest first; empty when everything is all right. */
export const attentionItems = (
  { info, status, unread, plugins, backups }: Omit<Overview, "week">,
  site: Site = siteOf(unsetSite),
): AttentionItem[] => {
  const { database, mail, users, appUrl } = info;
  const found: (AttentionItem | false)[] = [
    mail.dead > 0 && {
      tone: "error",
      title: attentionTexts.deadMails(mail.dead),
      remedy: attentionTexts.deadMailsRemedy,
      link: { href: "/admin/settings?mails=dead#mail", label: attentionTexts.deadMailsLink },
    },
    status?.redis.state === "away" && {
      tone: "error",
      title: attentionTexts.redisAway,
      remedy: withReason(status.redis.reason, attentionTexts.redisAwayRemedy),
      link: { href: "/admin/settings#redis", label: attentionTexts.settingsLink },
    },
    status?.storage.state === "away" && {
      tone: "error",
      title: attentionTexts.storageAway,
      remedy: withReason(status.storage.reason, attentionTexts.storageAwayRemedy),
      link: { href: "/admin/settings#storage", label: attentionTexts.settingsLink },
    },
    ...(plugins ?? []).filter(hasFailed).map(failedPlugin),
    backups !== null && backupItem(backups),
    typeof status?.visitor.warning === "string" && {
      tone: "warning",
      title: attentionTexts.proxy,
      remedy: status.visitor.warning,
      link: { href: "/admin/settings#security", label: attentionTexts.settingsLink },
    },
    ...(plugins ?? []).filter((plugin) => !hasFailed(plugin)).map(waitingVersion),
    typeof status?.missingHome === "string" && {
      tone: "warning",
      title: attentionTexts.missingHome(status.missingHome),
      remedy: attentionTexts.missingHomeRemedy,
      link: { href: "/admin/site#pages", label: attentionTexts.homeLink },
    },
    isProgramsHome({ name: site.name, home: site.variants["/"] ?? programSite.home }) && {
      tone: "info",
      title: attentionTexts.programsHome,
      remedy: attentionTexts.programsHomeRemedy(site.name),
      link: { href: "/admin/site#pages", label: attentionTexts.homeLink },
    },
    database.latencyMs > slowDatabaseMs && {
      tone: "warning",
      title: attentionTexts.slowDatabase,
      remedy: attentionTexts.slowDatabaseRemedies[database.kind],
    },
    mail.transport === "outbox" && {
      tone: "warning",
      title: attentionTexts.noSmtp,
      remedy: attentionTexts.noSmtpRemedy,
    },
    mail.transport === "smtp" &&
      mail.waiting >= manyMailsWaiting && {
        tone: "warning",
        title: attentionTexts.mailsWaiting(mail.waiting),
        remedy: attentionTexts.mailsWaitingRemedy,
      },
    isExposedWithoutTls(appUrl) && {
      tone: "warning",
      title: attentionTexts.plainHttp,
      remedy: attentionTexts.plainHttpRemedy,
    },
    unread !== null &&
      unread > 0 && {
        tone: "info",
        title: attentionTexts.unread(unread),
        remedy: attentionTexts.unreadRemedy,
        link: { href: "/admin/messages", label: attentionTexts.unreadLink },
      },
    users.admins === 1 && {
      tone: "info",
      title: attentionTexts.loneAdmin,
      remedy: attentionTexts.loneAdminRemedy,
      link: { href: "/admin/users", label: attentionTexts.loneAdminLink },
    },
  ];
  return found.filter((item) => item !== false);
};

const backupItem = (backups: BackupHealth): AttentionItem | false => {
  const trouble = backupTrouble(backups);
  const link = { href: "/admin/backups", label: attentionTexts.backupsLink };
  // No one's mistake, and still to be known: what is lost then is lost permanently.
  if (trouble === null)
    return (
      backups.last === null &&
      backups.run?.state !== "running" && {
        tone: "warning",
        title: attentionTexts.noBackup,
        remedy: attentionTexts.noScheduleRemedy,
        link,
      }
    );
  return trouble.kind === "never"
    ? { tone: "warning", title: attentionTexts.noBackup, remedy: attentionTexts.noBackupRemedy, link }
    : {
        tone: "warning",
        title: attentionTexts.backupFailed,
        remedy: withReason(trouble.reason, attentionTexts.backupFailedRemedy),
        link,
      };
};

const failedPlugin = (plugin: Plugin): AttentionItem => {
  const { title, state, error, enabled } = plugin;
  // One that is enabled still is started again automatically.
  const isStopped = state === "quarantined" && !enabled;
  return {
    tone: "error",
    title: isStopped ? attentionTexts.pluginStopped(title) : attentionTexts.pluginFailed(title),
    remedy: withReason(
      error,
      isStopped ? attentionTexts.pluginStoppedRemedy : attentionTexts.pluginFailedRemedy,
    ),
    link: linkTo(plugin),
  };
};

const waitingVersion = (plugin: Plugin): AttentionItem | false => {
  const { title, pendingVersion, error } = plugin;
  if (pendingVersion === null) return false;
  // The error of a plugin that has not failed is that of its waiting version.
  return {
    tone: "warning",
    title:
      error === null
        ? attentionTexts.versionWaits(title, pendingVersion)
        : attentionTexts.versionFailed(title, pendingVersion),
    remedy: withReason(
      error,
      error === null ? attentionTexts.versionWaitsRemedy : attentionTexts.versionFailedRemedy,
    ),
    link: linkTo(plugin),
  };
};

const linkTo = ({ name }: Plugin): AttentionLink => ({
  href: `/admin/plugins/${encodeURIComponent(name)}`,
  label: attentionTexts.pluginLink,
});

const withReason = (reason: string | null, remedy: string) =>
  reason === null ? remedy : `${asSentence(reason)} ${remedy}`;

const isExposedWithoutTls = (appUrl: string) => {
  if (!URL.canParse(appUrl)) return false;
  const { protocol, hostname } = new URL(appUrl);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};
