import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import type { BackupHealth } from "#api/modules/backups/contract.ts";
import { backupTrouble } from "#contract/backup-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { programSite } from "#contract/program-site.ts";
import { isProgramsHome, type Site, siteOf, unsetSite } from "#contract/site.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { asSentence } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { useSite } from "#ui/lib/site.ts";
import type { Overview } from "./api.ts";
import { hasFailed } from "./plugins/plugin-status.ts";
import { attentionTexts, overviewTexts } from "./texts.ts";

/** What needs attention with its remedy, or that nothing does. */
export const AttentionList = ({ overview }: { overview: Overview }) => {
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
