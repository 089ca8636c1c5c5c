import type { GuardRule, Json } from "#plugins/sdk/types.ts";
import type { HostFunction } from "./hosted-plugin.ts";
import { invalid } from "./plugin-fault.ts";

/** Where rules for requests are kept and applied. */
export type GuardAccess = {
  /** The rules that a value stands for, or what is wrong with it. */
  check(value: Json): { rules: GuardRule[] } | { problem: string };
  /** Stores them, and puts them in force on every server. */
  save(plugin: string, rules: GuardRule[]): Promise<void>;
  stats(plugin: string): { rule: number; hits: number }[];
};

/** Rules that plugins give the host to apply. */
export const createGuardFunctions = (
  access: GuardAccess,
): Record<"guard.setRules" | "guard.stats", HostFunction> => ({
  "guard.setRules": {
    permission: "request.rules",
    run: async ({ plugin, args: [value] }) => {
      const read = access.check(value ?? null);
      if ("problem" in read) throw invalid(read.problem);
      await access.save(plugin.name, read.rules);
      return undefined;
    },
  },
  "guard.stats": {
    permission: "request.rules",
    run: async ({ plugin }) => access.stats(plugin.name),
  },
});
