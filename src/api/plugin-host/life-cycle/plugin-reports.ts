import type { ActivityEntry } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { pluginQuarantinedMail } from "#api/modules/mail/index.ts";
import { listAdmins } from "#api/modules/users/index.ts";
import { type PluginLogLine, pluginLimits } from "#contract/plugins.ts";

/** What can go wrong with a plugin. */
const reports = {
  /** It will be restarted. */
  failed: { type: "plugin_failed", action: "Plugin failed", severity: "high" },
  /** A route exceeded its limits too often; the others continue. */
  routePaused: { type: "plugin_failed", action: "Route paused", severity: "high" },
  /** Its own check failed too often; it is restarted. */
  unwell: { type: "health_check_failed", action: "Plugin is unhealthy", severity: "high" },
  /** It failed too often. */
  paused: { type: "plugin_failed", action: "Plugin quarantined temporarily", severity: "critical" },
  /** It was disabled because it failed too often, or broke the rules. */
  quarantined: { type: "plugin_failed", action: "Plugin quarantined", severity: "critical" },
  /** It was disabled because it kept requesting permissions that it doesn't have. */
  suspicious: {
    type: "suspicious_activity",
    action: "Plugin stopped for misbehaving",
    severity: "critical",
  },
  /** It was disabled because its package is not trusted anymore. */
  distrusted: { type: "signature_failed", action: "Plugin is no longer trusted", severity: "critical" },
  /** It was not started. */
  overstepped: {
    type: "permission_violation",
    action: "Registered something without permission",
    severity: "medium",
  },
} as const;

/** The log entry of what went wrong with a plugin; `description` is a sentence for admins. */
export const reportOf = (
  kind: keyof typeof reports,
  pluginName: string,
  description: string,
): ActivityEntry & { description: string } => ({
  ...reports[kind],
  ...{ pluginName, description, status: "failure" },
});

/** It works again. */
export const recovered = (name: string, description: string): ActivityEntry => ({
  type: "plugin_recovered",
  action: "Plugin recovered",
  pluginName: name,
  description,
});

const warnedMs = 60 * 60 * 1000;

/** Emails admins about a plugin: once, however many servers notice, and however many pauses precede its quarantine. */
export const createAdminWarning = ({
  db,
  log,
  mail,
  attempts,
  appUrl,
}: Pick<Services, "db" | "log" | "mail" | "attempts" | "appUrl">) => {
  const send = async (plugin: string, why: { reason: string; isFinal: boolean }): Promise<void> => {
    const budget = { key: `plugin-failing:${plugin}`, most: 1, windowMs: warnedMs, message: () => "" };
    const isFirst = await attempts.spend([budget]).then(
      () => true,
      () => false,
    );
    if (!isFirst) return;
    const link = `${appUrl}/admin/plugins/${plugin}`;
    await db.transaction(async (tx) => {
      for (const { name, email } of await listAdmins(tx))
        await mail.enqueue(tx, { to: email, ...pluginQuarantinedMail({ name, plugin, link, ...why }) });
    });
    mail.wake();
  };
  return (plugin: string, why: { reason: string; isFinal: boolean }): void =>
    void send(plugin, why).catch((error) =>
      log.warn("admins could not be notified about a plugin", { plugin, error: describeError(error) }),
    );
};

type Level = PluginLogLine["level"];

/** The logs of plugins on this server: the newest lines of each. */
export type PluginLogs = {
  /** Adds a line of the plugin; beyond its limit per minute, only the number of dropped lines is logged. */
  write(name: string, level: Level, message: string): void;
  /** Adds a line about the plugin. */
  note(name: string, level: Level, message: string): void;
  /** Newest last, only those after `after`. */
  read(name: string, after: number): PluginLogLine[];
  forget(name: string): void;
};

type Book = { lines: PluginLogLine[]; minuteFromMs: number; written: number; leftOut: number };

const minuteMs = 60_000;

/** Creates empty logs; ids increase across all lines of a plugin. */
export const createPluginLogs = ({ clock, replica }: { clock: Clock; replica: string }): PluginLogs => {
  const books = new Map<string, Book>();
  // Continues after a plugin was removed, so that a reader misses nothing that comes next.
  let lastId = 0;

  const bookOf = (name: string): Book => {
    const book = books.get(name) ?? { lines: [], minuteFromMs: 0, written: 0, leftOut: 0 };
    books.set(name, book);
    return book;
  };

  const add = (book: Book, level: Level, message: string): void => {
    lastId += 1;
    const text = message.length > pluginLimits.logLineLength ? clipped(message) : message;
    book.lines.push({ id: lastId, at: clock.now().toISOString(), level, message: text, replica });
    if (book.lines.length > pluginLimits.logLinesKept * 1.2)
      book.lines.splice(0, book.lines.length - pluginLimits.logLinesKept);
  };

  const beginMinute = (book: Book): void => {
    const nowMs = clock.uptimeMs();
    if (nowMs - book.minuteFromMs < minuteMs) return;
    const { leftOut } = book;
    Object.assign(book, { minuteFromMs: nowMs, written: 0, leftOut: 0 });
    if (leftOut > 0)
      add(book, "warn", `${leftOut} lines were dropped because the limit per minute was reached`);
  };

  return {
    write: (name, level, message) => {
      const book = bookOf(name);
      beginMinute(book);
      if (book.written >= pluginLimits.logLinesAMinute) {
        book.leftOut += 1;
        return;
      }
      book.written += 1;
      add(book, level, message);
    },
    note: (name, level, message) => add(bookOf(name), level, message),
    read: (name, after) => {
      const lines = books.get(name)?.lines ?? [];
      return lines.slice(-pluginLimits.logLinesKept).filter(({ id }) => id > after);
    },
    forget: (name) => void books.delete(name),
  };
};

const clipped = (message: string): string => `${message.slice(0, pluginLimits.logLineLength - 1)}…`;
