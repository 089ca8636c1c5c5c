import type { Services } from "#api/core/context.ts";
import { type ActivityType, activitySeverities, activityStatuses } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostFunction } from "./hosted-plugin.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";
import { fieldsArgument, lineArgument, numberArgument } from "./read-argument.ts";

/** What plugins may say in the activity log; the rest is the host's to say. */
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

/** Lines of plugins in the activity log, under their own names. */
export const createActivityFunction = ({
  activity,
  clock,
}: Pick<Services, "activity" | "clock">): Record<"activity.log", HostFunction> => {
  const counts = new Map<string, { sinceMs: number; entries: number }>();

  /** A log that one plugin fills shows nothing of the others. Throws `LIMIT_EXCEEDED`. */
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

/** The source of what a plugin does by itself. */
export const pluginSource = {
  actor: { kind: "plugin" },
  requestId: null,
  ip: null,
  userAgent: null,
} as const;

const oneOf = <T extends string>(known: readonly T[], value: Json | undefined, name: string): T => {
  const found = known.find((word) => word === value);
  if (found === undefined) throw invalid(`${name} has to be one of ${known.join(", ")}`);
  return found;
};
