import type { BackupHealth } from "#api/modules/backups/contract.ts";
import { backupTrouble } from "#contract/backup-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { asSentence } from "#ui/lib/as-sentence.ts";
import type { Overview } from "./api.ts";
import { hasFailed } from "./plugins/plugin-status.ts";
import { attentionTexts as texts } from "./texts.ts";

type AttentionLink = { href: string; label: string };

/** Something that an administrator should know, and what to do about it. */
export type AttentionItem = {
  tone: "error" | "warning" | "info";
  title: string;
  remedy: string;
  link?: AttentionLink;
};

// A local database answers in under a millisecond, one in the next rack in a few: this is trouble by any measure.
const slowDatabaseMs = 250;
// The mail worker sends within seconds; that many waiting means that it does not get rid of them.
const manyMailsWaiting = 20;

/** What needs attention, the gravest first; empty when everything is all right. */
export const attentionItems = ({
  info,
  status,
  unread,
  plugins,
  backups,
}: Omit<Overview, "week">): AttentionItem[] => {
  const { database, mail, users, appUrl } = info;
  const found: (AttentionItem | false)[] = [
    mail.dead > 0 && {
      tone: "error",
      title: texts.deadMails(mail.dead),
      remedy: texts.deadMailsRemedy,
      link: { href: "/admin/settings?mails=dead#mail", label: texts.deadMailsLink },
    },
    status?.redis.state === "away" && {
      tone: "error",
      title: texts.redisAway,
      remedy: withReason(status.redis.reason, texts.redisAwayRemedy),
      link: { href: "/admin/settings#redis", label: texts.settingsLink },
    },
    status?.storage.state === "away" && {
      tone: "error",
      title: texts.storageAway,
      remedy: withReason(status.storage.reason, texts.storageAwayRemedy),
      link: { href: "/admin/settings#storage", label: texts.settingsLink },
    },
    ...(plugins ?? []).filter(hasFailed).map(failedPlugin),
    backups !== null && backupItem(backups),
    typeof status?.visitor.warning === "string" && {
      tone: "warning",
      title: texts.proxy,
      remedy: status.visitor.warning,
      link: { href: "/admin/settings#security", label: texts.settingsLink },
    },
    ...(plugins ?? []).filter((plugin) => !hasFailed(plugin)).map(waitingVersion),
    database.latencyMs > slowDatabaseMs && {
      tone: "warning",
      title: texts.slowDatabase,
      remedy: texts.slowDatabaseRemedies[database.kind],
    },
    mail.transport === "outbox" && { tone: "warning", title: texts.noSmtp, remedy: texts.noSmtpRemedy },
    mail.transport === "smtp" &&
      mail.waiting >= manyMailsWaiting && {
        tone: "warning",
        title: texts.mailsWaiting(mail.waiting),
        remedy: texts.mailsWaitingRemedy,
      },
    isExposedWithoutTls(appUrl) && { tone: "warning", title: texts.plainHttp, remedy: texts.plainHttpRemedy },
    unread !== null &&
      unread > 0 && {
        tone: "info",
        title: texts.unread(unread),
        remedy: texts.unreadRemedy,
        link: { href: "/admin/messages", label: texts.unreadLink },
      },
    users.admins === 1 && {
      tone: "info",
      title: texts.loneAdmin,
      remedy: texts.loneAdminRemedy,
      link: { href: "/admin/users", label: texts.loneAdminLink },
    },
  ];
  return found.filter((item) => item !== false);
};

const backupItem = (backups: BackupHealth): AttentionItem | false => {
  const trouble = backupTrouble(backups);
  const link = { href: "/admin/backups", label: texts.backupsLink };
  // Nobody's mistake, and still to be known: what is lost then is lost for good.
  if (trouble === null)
    return (
      backups.last === null &&
      backups.run?.state !== "running" && {
        tone: "warning",
        title: texts.noBackup,
        remedy: texts.noScheduleRemedy,
        link,
      }
    );
  return trouble.kind === "never"
    ? { tone: "warning", title: texts.noBackup, remedy: texts.noBackupRemedy, link }
    : {
        tone: "warning",
        title: texts.backupFailed,
        remedy: withReason(trouble.reason, texts.backupFailedRemedy),
        link,
      };
};

const failedPlugin = (plugin: Plugin): AttentionItem => {
  const { title, state, error, enabled } = plugin;
  // One that is enabled still is started again automatically.
  const isStopped = state === "quarantined" && !enabled;
  return {
    tone: "error",
    title: isStopped ? texts.pluginStopped(title) : texts.pluginFailed(title),
    remedy: withReason(error, isStopped ? texts.pluginStoppedRemedy : texts.pluginFailedRemedy),
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
      error === null ? texts.versionWaits(title, pendingVersion) : texts.versionFailed(title, pendingVersion),
    remedy: withReason(error, error === null ? texts.versionWaitsRemedy : texts.versionFailedRemedy),
    link: linkTo(plugin),
  };
};

const linkTo = ({ name }: Plugin): AttentionLink => ({
  href: `/admin/plugins/${encodeURIComponent(name)}`,
  label: texts.pluginLink,
});

const withReason = (reason: string | null, remedy: string) =>
  reason === null ? remedy : `${asSentence(reason)} ${remedy}`;

const isExposedWithoutTls = (appUrl: string) => {
  if (!URL.canParse(appUrl)) return false;
  const { protocol, hostname } = new URL(appUrl);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};
