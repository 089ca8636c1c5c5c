import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { pluginMail } from "#api/modules/mail/index.ts";
import { secretFields } from "#api/modules/plugins/index.ts";
import { emailComplaint, emailKey } from "#contract/account-rules.ts";
import { type ActivityType, activitySeverities, activityStatuses } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import { type PermissionName, pluginLimits } from "#contract/plugins.ts";
import type { GuardRule, Json, Method, PluginResponse, Principal, RuleHits } from "#plugins/sdk/types.ts";
import {
  fieldsArgument,
  type HostedPlugin,
  type HostFunction,
  invalid,
  lineArgument,
  numberArgument,
  PluginFault,
  pluginSource,
  textArgument,
} from "./host-function.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hourMs = 60 * 60 * 1000;
const subjectLength = 200;
const textLength = 10_000;

/** How plugins know users, and reach them by email. */
export type PeopleAccess = {
  /** The user with that id; `undefined` if there is none, or it is disabled. */
  find(id: string): Promise<Principal | undefined>;
  /** Counts an email of a plugin. Throws `LIMIT_EXCEEDED`. */
  spend(plugin: string): Promise<void>;
  /** The address that a user has, if an email may go there; `undefined` if it is no user's. */
  addressOf(email: string): Promise<string | undefined>;
  /** Sends an email; `isToAnyone` if it goes to no user. */
  send(
    plugin: HostedPlugin,
    mail: { to: string; subject: string; text: string; isToAnyone: boolean },
  ): Promise<void>;
};

/** What plugins can know about users, and the emails that they send them. */
export const createPeopleFunctions = (
  access: PeopleAccess,
): Record<"users.get" | "mail.send", HostFunction> => ({
  "users.get": {
    permission: "users.read",
    run: async ({ args: [id] }) => (typeof id === "string" ? access.find(id) : undefined),
  },
  "mail.send": {
    permission: "mail.send",
    run: async ({ plugin, args }) => {
      const given = fieldsArgument(args[0], "mail", ["to", "subject", "text"]);
      const to = lineArgument(given.to, "to", 254);
      if (emailComplaint(to) !== null) throw invalid("to must be one email address");
      const subject = lineArgument(given.subject, "subject", subjectLength);
      const text = textArgument(given.text, "text", textLength);
      // Counted before the lookup: a plugin that tests whether an address belongs to a user can do so a hundred times
      // per hour.
      await access.spend(plugin.name);
      const address = await access.addressOf(to);
      const isToAnyone = address === undefined;
      // Not a refusal: visitors may have typed the address.
      if (isToAnyone && !plugin.granted.some(({ name }) => name === "mail.send:anyone"))
        throw invalid("to is not the address of a user of this site, and mail.send:anyone was not granted");
      await access.send(plugin, { to: address ?? to.trim(), subject, text, isToAnyone });
      return undefined;
    },
  },
});

type PeopleOptions = Pick<Services, "db" | "mail" | "attempts" | "appUrl"> & {
  used(plugin: string, permission: PermissionName): void;
};

/** The users of the installation. */
export const createPeopleAccess = ({ db, mail, attempts, appUrl, used }: PeopleOptions): PeopleAccess => ({
  find: async (id) => {
    if (!uuid.test(id)) return undefined;
    const [person] = await db.execute<Principal>(
      sql`select id, name, role from users where id = ${id} and disabled_at is null`,
    );
    return person && { id: person.id, name: person.name, role: person.role };
  },
  spend: async (plugin) => {
    try {
      await attempts.spend([
        {
          key: `plugin-mail:${plugin}`,
          most: pluginLimits.mailsAnHour,
          windowMs: hourMs,
          message: () => `A plugin can send at most ${pluginLimits.mailsAnHour} emails per hour`,
        },
      ]);
    } catch (error) {
      if (error instanceof AppError && error.kind === "RATE_LIMITED")
        throw new PluginFault("LIMIT_EXCEEDED", error.message);
      throw error;
    }
  },
  addressOf: async (email) => {
    const [user] = await db.execute<{ email: string }>(sql`
      select email from users
      where email_key = ${emailKey(email)} and disabled_at is null and email_verified_at is not null`);
    return user?.email;
  },
  send: async ({ manifest: { title, name } }, { to, subject, text, isToAnyone }) => {
    if (isToAnyone) used(name, "mail.send:anyone");
    const link = `${appUrl}/admin/plugins/${name}`;
    const content = pluginMail({ subject, message: text, plugin: title, link });
    await db.transaction((tx) => mail.enqueue(tx, { to, ...content }));
    mail.wake();
  },
});

/** Where the settings of plugins are stored. */
export type SettingsAccess = {
  /** Changes the given fields. Throws `VALIDATION_FAILED` for values that don't fit the plugin's schema. */
  save(plugin: Pick<HostedPlugin, "name" | "dataKey">, patch: Record<string, unknown>): Promise<void>;
  /** A decrypted secret field, or `null` if it is not set. */
  readSecret(dataKey: string, field: string): Promise<string | null>;
};

/** How plugins access their own settings. */
export const createSettingFunctions = (
  access: SettingsAccess,
): Record<"settings.set" | "secrets.get", HostFunction> => ({
  "settings.set": {
    permission: "settings.write",
    run: async ({ plugin, args: [patch] }) => {
      if (patch === null || typeof patch !== "object" || Array.isArray(patch))
        throw invalid("settings has to be an object");
      const secret = secretFields(plugin.manifest.settings?.schema).find((field) =>
        Object.hasOwn(patch, field),
      );
      if (secret !== undefined) throw invalid(`${secret} is a secret, which only admins can set`);
      await save(access, plugin, patch);
      return undefined;
    },
  },
  "secrets.get": {
    permission: "secrets.read",
    run: async ({ plugin, args: [field] }) => {
      const name = textArgument(field, "key", 100);
      if (!secretFields(plugin.manifest.settings?.schema).includes(name))
        throw invalid(`${name} is not a secret field of the settings`);
      return (await access.readSecret(plugin.dataKey, name)) ?? undefined;
    },
  },
});

const save = async (
  access: SettingsAccess,
  plugin: HostedPlugin,
  patch: Record<string, Json>,
): Promise<void> => {
  try {
    await access.save(plugin, patch);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "VALIDATION_FAILED") throw error;
    const [first] = error.errors ?? [];
    throw new PluginFault("INVALID", first ? `${first.path}: ${first.message}` : error.message);
  }
};

/** What plugins can write to the activity log; the host adds the rest. */
const types = [
  "api_call",
  "admin_action",
  "configuration_changed",
  "suspicious_activity",
  "health_check_failed",
] as const satisfies readonly ActivityType[];

const fields = ["type", "action", "description", "status", "severity", "durationMs"];
const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;

/** Plugins' entries in the activity log, under their own names. */
export const createActivityFunction = ({
  activity,
  clock,
}: Pick<Services, "activity" | "clock">): Record<"activity.log", HostFunction> => {
  const counts = new Map<string, { sinceMs: number; entries: number }>();

  /** A log that one plugin floods would hide the others. Throws `LIMIT_EXCEEDED`. */
  const spend = (plugin: string): void => {
    const nowMs = clock.uptimeMs();
    const known = counts.get(plugin);
    const count = known && nowMs - known.sinceMs < minuteMs ? known : { sinceMs: nowMs, entries: 0 };
    if (count.entries >= pluginLimits.activitiesAMinute)
      throw new PluginFault("LIMIT_EXCEEDED", `At most ${pluginLimits.activitiesAMinute} entries a minute`);
    count.entries += 1;
    counts.set(plugin, count);
  };

  return {
    "activity.log": {
      permission: "activity.write",
      run: async ({ plugin, args }) => {
        const given = fieldsArgument(args[0], "entry", fields);
        const description =
          given.description === undefined
            ? undefined
            : lineArgument(given.description, "description", limits.activityTextLength);
        const durationMs = numberArgument(given.durationMs, "durationMs", [0, dayMs]);
        const type = oneOf(types, given.type, "type");
        const action = lineArgument(given.action, "action", limits.activityActionLength);
        spend(plugin.name);
        activity.note({
          entry: {
            type,
            action,
            status: oneOf(activityStatuses, given.status ?? "info", "status"),
            severity: oneOf(activitySeverities, given.severity ?? "low", "severity"),
            pluginName: plugin.name,
            ...(description === undefined ? {} : { description }),
            ...(durationMs === undefined ? {} : { durationMs }),
          },
          source: pluginSource,
          at: clock.now(),
        });
        return undefined;
      },
    },
  };
};

const oneOf = <T extends string>(known: readonly T[], value: Json | undefined, name: string): T => {
  const found = known.find((word) => word === value);
  if (found === undefined) throw invalid(`${name} has to be one of ${known.join(", ")}`);
  return found;
};

/** Calls a route of a plugin on behalf of another. Rejects with a readable `Error` if it can't be called. */
export type CallPlugin = (
  caller: string,
  name: string,
  call: { method: Method; path: string; body: Json },
) => Promise<PluginResponse>;

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const pathLength = 2_048;

/** Calls between plugins, only to those that were granted by name. */
export const createCallFunction = (callPlugin: CallPlugin): Record<"plugins.call", HostFunction> => ({
  "plugins.call": {
    permission: "plugins.call",
    run: async ({ plugin, permission, args }) => {
      const name = textArgument(args[0], "name", 40);
      if (permission?.plugins?.includes(name) !== true)
        throw new PluginFault("PERMISSION_DENIED", `The plugin ${name} was not granted`);
      const method = methods.find((word) => word === args[1]);
      if (method === undefined) throw invalid(`method has to be one of ${methods.join(", ")}`);
      const path = textArgument(args[2], "path", pathLength);
      if (!path.startsWith("/")) throw invalid("path has to begin with a slash");
      return callPlugin(plugin.name, name, { method, path, body: args[3] ?? null });
    },
  },
});

/** Where rules for requests are stored and applied. */
export type GuardAccess = {
  /** The rules in a value, or what is wrong with it. */
  check(value: Json): { rules: GuardRule[] } | { problem: string };
  /** Stores them, and applies them on every server. */
  save(plugin: string, rules: GuardRule[]): Promise<void>;
  stats(plugin: string): RuleHits[];
};

/** Rules that plugins set. */
export const createGuardFunctions = (
  access: GuardAccess,
  { clock }: Pick<Services, "clock">,
): Record<"guard.setRules" | "guard.stats", HostFunction> => {
  const changes = new Map<string, number[]>();
  const changing = new Set<string>();

  /** Compiling rules blocks everything else, even if they turn out to be invalid. Throws `LIMIT_EXCEEDED`. */
  const spend = (plugin: string): void => {
    if (changing.has(plugin)) throw new PluginFault("LIMIT_EXCEEDED", "Rules are already being set");
    const nowMs = clock.uptimeMs();
    const recent = (changes.get(plugin) ?? []).filter((atMs) => nowMs - atMs < minuteMs);
    if (recent.length >= pluginLimits.ruleChangesAMinute)
      throw new PluginFault(
        "LIMIT_EXCEEDED",
        `Rules can be set ${pluginLimits.ruleChangesAMinute} times per minute`,
      );
    changes.set(plugin, [...recent, nowMs]);
  };

  return {
    "guard.setRules": {
      permission: "request.rules",
      run: async ({ plugin, args: [value] }) => {
        spend(plugin.name);
        const read = access.check(value ?? null);
        if ("problem" in read) throw invalid(read.problem);
        changing.add(plugin.name);
        try {
          await access.save(plugin.name, read.rules);
        } finally {
          changing.delete(plugin.name);
        }
        if (access.stats(plugin.name).some(({ inert }) => inert === true))
          plugin.log(
            "warn",
            "Country rules have no effect: GEOIP_DB is not set, so IP addresses have no country",
          );
        return undefined;
      },
    },
    "guard.stats": {
      permission: "request.rules",
      run: async ({ plugin }) => access.stats(plugin.name),
    },
  };
};
