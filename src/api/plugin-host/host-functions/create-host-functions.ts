import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { ActivityType } from "#contract/activity.ts";
import { type PermissionName, pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostOp, RuntimeHost } from "../runtime.ts";
import {
  type CallPlugin,
  createActivityFunction,
  createCallFunction,
  createGuardFunctions,
  createPeopleAccess,
  createPeopleFunctions,
  createSettingFunctions,
  type GuardAccess,
  type SettingsAccess,
} from "./core-functions.ts";
import { createFetchFunction, type FetchOptions } from "./fetch-function.ts";
import { createFileFunctions } from "./file-functions.ts";
import {
  createTurnstile,
  type HostedPlugin,
  type HostFunction,
  howToGrant,
  PluginFault,
  pluginSource,
} from "./host-function.ts";
import { createDatabaseKv, createDataQuota, createKvFunctions } from "./kv-functions.ts";

type HostFunctionServices = Pick<
  Services,
  "db" | "clock" | "log" | "activity" | "objects" | "mail" | "attempts" | "appUrl"
>;

export type HostFunctionOptions = {
  services: HostFunctionServices;
  settings: SettingsAccess;
  guard: GuardAccess;
  callPlugin: CallPlugin;
  /** Storage quota of each plugin. */
  quotaBytes: number;
  /** For tests: how names are looked up and requests sent. */
  network?: Pick<FetchOptions, "resolve" | "send">;
};

/** The host's side of everything that plugins request. */
export type HostFunctions = {
  /** Executes the calls of one plugin. Only ever rejects with a `PluginFault`. */
  serve(plugin: HostedPlugin): RuntimeHost["call"];
  /** Counts the use of a permission outside of a host call: for a route, a job or a listener. */
  used(plugin: string, permission: PermissionName): void;
  /** Stores how often permissions were used. */
  flush(): Promise<void>;
};

const activityOf: Partial<Record<HostOp, ActivityType>> = {
  "files.read": "file_read",
  "files.list": "file_read",
  "files.write": "file_write",
  "files.delete": "file_write",
};

/**
 * Builds the host functions. Every call is checked here against the granted permissions, for any runtime; uses are
 * counted, refusals recorded, and a plugin that is refused ten times in a minute is reported to be stopped, unless
 * calls of its routes caused the refusals: any client could do that.
 */
export const createHostFunctions = (options: HostFunctionOptions): HostFunctions => {
  const { services } = options;
  const { activity, clock } = services;
  const uses = createUses(services);
  const refusals = createRefusals(clock);
  const keepWithin = createDataQuota({ ...services, quotaBytes: options.quotaBytes });
  const functions: Record<HostOp, HostFunction> = {
    ...createKvFunctions({ clock, store: createDatabaseKv(services), keepWithin }),
    ...createFileFunctions({ ...services, keepWithin }),
    ...createSettingFunctions(options.settings),
    ...createActivityFunction(services),
    ...createPeopleFunctions(createPeopleAccess({ ...services, used: uses.used })),
    ...createFetchFunction({ ...services, ...options.network }),
    ...createGuardFunctions(options.guard, services),
    ...createCallFunction(options.callPlugin),
  };

  type Refusal = { op: HostOp; permission: PermissionName; why: string; hasCaller: boolean };

  const refuse = (plugin: HostedPlugin, { op, permission, why, hasCaller }: Refusal) => {
    uses.refused(plugin.name, permission);
    plugin.log("warn", `${op} was refused: ${why}`);
    const count = refusals.add(hasCaller ? calledKey(plugin) : plugin.name);
    if (count > pluginLimits.refusalsAllowed) return;
    activity.note({
      entry: {
        type: "permission_violation",
        action: `Requested ${permission}`,
        description: why,
        status: "failure",
        severity: "medium",
        pluginName: plugin.name,
      },
      source: pluginSource,
      at: clock.now(),
    });
    if (count === pluginLimits.refusalsAllowed && !hasCaller)
      plugin.violated(`It kept requesting a permission that it doesn't have (${permission})`);
  };

  const noteFile = (plugin: HostedPlugin, op: HostOp, fault: PluginFault | null) => {
    const type = activityOf[op];
    if (type === undefined) return;
    activity.note({
      entry: {
        type,
        action:
          op === "files.delete" ? "Deleted a file" : `${type === "file_read" ? "Read" : "Wrote"} a file`,
        status: fault === null ? "success" : "failure",
        pluginName: plugin.name,
        ...(fault === null ? {} : { description: fault.message }),
      },
      source: pluginSource,
      at: clock.now(),
    });
  };

  /** An allowed call counts as a use, whatever its result. */
  const countUse = (
    plugin: HostedPlugin,
    op: HostOp,
    { needed, fault }: { needed: PermissionName | null; fault: PluginFault | null },
  ) => {
    if (needed !== null) uses.used(plugin.name, needed);
    noteFile(plugin, op, fault);
  };

  const turns = new Map<string, ReturnType<typeof createTurnstile>>();

  /** Files are written one after the other, so that their number is exact; a few other calls run at the same time. */
  const turnOf = (plugin: string, op: HostOp) => {
    const isWrite = op === "files.write" || op === "files.delete";
    const key = `${plugin} ${isWrite ? "files" : "all"}`;
    const turn = turns.get(key) ?? createTurnstile(isWrite ? 1 : pluginLimits.databaseCallsAtOnce);
    turns.set(key, turn);
    return turn;
  };

  const perform = async (
    plugin: HostedPlugin,
    { op, args, hasCaller }: { op: HostOp; args: Json[]; hasCaller: boolean },
  ): Promise<Json | undefined> => {
    const { permission: needed, run } = functions[op];
    const permission = plugin.granted.find(({ name }) => name === needed) ?? null;
    if (needed !== null && permission === null) {
      const why = `The permission ${needed} was not granted: ${howToGrant(needed, plugin.manifest.permissions)}`;
      refuse(plugin, { op, permission: needed, why, hasCaller });
      throw new PluginFault("PERMISSION_DENIED", why);
    }
    try {
      const work = () => run({ plugin, permission, args });
      const result = await (isOutward(op) ? work() : turnOf(plugin.name, op)(work));
      countUse(plugin, op, { needed, fault: null });
      return result;
    } catch (error) {
      const fault = asFault(error);
      if (fault.name === "PERMISSION_DENIED" && needed !== null)
        refuse(plugin, { op, permission: needed, why: fault.message, hasCaller });
      else countUse(plugin, op, { needed, fault });
      if (fault.name === "FAILED" && !(error instanceof PluginFault))
        services.log.error("a host call of a plugin failed", {
          plugin: plugin.name,
          op,
          error: describeError(error),
        });
      throw fault;
    }
  };

  return {
    serve: (plugin) => {
      refusals.forget(plugin.name);
      refusals.forget(calledKey(plugin));
      return (op, args, hasCaller = false) => perform(plugin, { op, args, hasCaller });
    },
    used: uses.used,
    flush: uses.flush,
  };
};

const calledKey = ({ name }: HostedPlugin): string => `${name} called`;

// Calls that wait for others, not for the database; a call that comes back to its plugin would wait for itself.
const isOutward = (op: HostOp): boolean => op === "fetch" || op === "plugins.call";

const away = ["DB_UNAVAILABLE", "STORAGE_UNAVAILABLE", "BUSY", "SHUTTING_DOWN"];

// Plugins don't get details of internal errors.
const asFault = (error: unknown): PluginFault => {
  if (error instanceof PluginFault) return error;
  if (!(error instanceof AppError))
    return new PluginFault("FAILED", "Something went wrong", { cause: error });
  const isAway = away.includes(error.kind);
  return new PluginFault(isAway ? "UNAVAILABLE" : "FAILED", error.message, { cause: error });
};

/** Counts uses of permissions in memory, and stores them periodically. */
type Uses = {
  used(plugin: string, permission: PermissionName): void;
  refused(plugin: string, permission: PermissionName): void;
  /** Stores the counts; if that fails, they are kept. */
  flush(): Promise<void>;
};

/** Begins with nothing counted. */
const createUses = ({ db, clock, log }: Pick<Services, "db" | "clock" | "log">): Uses => {
  const counts = new Map<string, UseCount>();

  const countOf = (plugin: string, permission: string): UseCount => {
    const key = `${plugin} ${permission}`;
    const known = counts.get(key) ?? { plugin, permission, used: 0, refused: 0, lastUsedAt: null };
    counts.set(key, known);
    return known;
  };

  return {
    used: (plugin, permission) => {
      const count = countOf(plugin, permission);
      count.used += 1;
      count.lastUsedAt = clock.now();
    },
    refused: (plugin, permission) => {
      countOf(plugin, permission).refused += 1;
    },
    flush: async () => {
      const taken = [...counts.values()];
      counts.clear();
      if (taken.length === 0) return;
      // The same order everywhere, so that two servers don't deadlock.
      const sorted = taken.sort((a, b) =>
        `${a.plugin} ${a.permission}` < `${b.plugin} ${b.permission}` ? -1 : 1,
      );
      try {
        await addUses(db, sorted);
      } catch (error) {
        log.warn("uses of plugins could not be stored", { error: describeError(error) });
        for (const { plugin, permission, used, refused, lastUsedAt } of taken) {
          const count = countOf(plugin, permission);
          count.used += used;
          count.refused += refused;
          count.lastUsedAt ??= lastUsedAt;
        }
      }
    },
  };
};

/** How often a permission was used and refused since it was last stored. */
type UseCount = {
  plugin: string;
  permission: string;
  used: number;
  refused: number;
  lastUsedAt: Date | null;
};

/** Adds to the stored counts. */
const addUses = async (db: Database, counts: readonly UseCount[]): Promise<void> => {
  const rows = sql.join(
    counts.map(
      ({ plugin, permission, used, refused, lastUsedAt }) =>
        sql`(${plugin}, ${permission}, ${used}::bigint, ${refused}::bigint, ${lastUsedAt?.toISOString() ?? null}::timestamptz)`,
    ),
    sql`, `,
  );
  await db.execute(sql`
    insert into plugin_uses (plugin, permission, used, refused, last_used_at) values ${rows}
    on conflict (plugin, permission) do update set
      used = plugin_uses.used + excluded.used,
      refused = plugin_uses.refused + excluded.refused,
      last_used_at = greatest(plugin_uses.last_used_at, excluded.last_used_at)`);
};

/** Counts refused calls of each plugin within a minute. */
type Refusals = {
  /** Counts one; resolves to how many there were within a minute. */
  add(key: string): number;
  forget(key: string): void;
};

/** Begins with nothing counted. */
const createRefusals = (clock: Clock): Refusals => {
  const times = new Map<string, number[]>();
  return {
    add: (key) => {
      const nowMs = clock.uptimeMs();
      const recent = (times.get(key) ?? []).filter((at) => nowMs - at < pluginLimits.refusalsWindowMs);
      // More is never needed.
      const kept = [...recent, nowMs].slice(-(pluginLimits.refusalsAllowed + 1));
      times.set(key, kept);
      return kept.length;
    },
    forget: (key) => void times.delete(key),
  };
};
