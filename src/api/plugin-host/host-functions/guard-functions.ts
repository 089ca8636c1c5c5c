import type { Services } from "#api/core/context.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { GuardRule, Json, RuleHits } from "#plugins/sdk/types.ts";
import type { HostFunction } from "./hosted-plugin.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";

/** Where rules for requests are kept and applied. */
export type GuardAccess = {
  /** The rules that a value stands for, or what is wrong with it. */
  check(value: Json): { rules: GuardRule[] } | { problem: string };
  /** Stores them, and puts them in force on every server. */
  save(plugin: string, rules: GuardRule[]): Promise<void>;
  stats(plugin: string): RuleHits[];
};

const minuteMs = 60 * 1000;

/** Rules that plugins give the host to apply. */
export const createGuardFunctions = (
  access: GuardAccess,
  { clock }: Pick<Services, "clock">,
): Record<"guard.setRules" | "guard.stats", HostFunction> => {
  const changes = new Map<string, number[]>();
  const changing = new Set<string>();

  /** Preparing rules holds up everything else, also those that turn out to be unusable. Throws `LIMIT_EXCEEDED`. */
  const spend = (plugin: string): void => {
    if (changing.has(plugin)) throw new PluginFault("LIMIT_EXCEEDED", "Rules are being set already");
    const nowMs = clock.uptimeMs();
    const recent = (changes.get(plugin) ?? []).filter((atMs) => nowMs - atMs < minuteMs);
    if (recent.length >= pluginLimits.ruleChangesAMinute)
      throw new PluginFault(
        "LIMIT_EXCEEDED",
        `Rules can be set ${pluginLimits.ruleChangesAMinute} times a minute`,
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
          plugin.log("warn", "Country rules are off: GEOIP_DB is not set, so that no address has a country");
        return undefined;
      },
    },
    "guard.stats": {
      permission: "request.rules",
      run: async ({ plugin }) => access.stats(plugin.name),
    },
  };
};
