import { inArray, sql } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { pluginRules } from "#api/db/schema.ts";
import type { GuardRule, Json } from "#plugins/sdk/types.ts";
import type { GuardAccess } from "../host-functions/core-functions.ts";
import type { Guard } from "./guard.ts";

/** The stored rules of plugins, so that every server applies the same ones. */
export type GuardRules = GuardAccess & {
  /** Applies the stored rules of those plugins, and removes others. */
  refresh(names: readonly string[]): Promise<void>;
};

export type GuardRulesOptions = Pick<Services, "db" | "clock" | "events" | "log"> & { guard: Guard };

/** Creates it without rules. */
export const createGuardRules = ({ db, clock, events, log, guard }: GuardRulesOptions): GuardRules => {
  const inForce = new Map<string, number>();

  const apply = (name: string, value: unknown, generation: number): void => {
    if (inForce.get(name) === generation) return;
    const read = guard.checkRules(asJson(value));
    if ("problem" in read) {
      log.warn("stored rules of a plugin cannot be used", { plugin: name, problem: read.problem });
      return;
    }
    put(name, read.rules, generation);
  };
  const put = (name: string, rules: GuardRule[], generation: number): void => {
    guard.set(name, rules);
    inForce.set(name, generation);
  };

  return {
    check: (value) => guard.checkRules(value),
    stats: (plugin) => guard.stats(plugin),
    save: async (plugin, rules) => {
      const generation = await storeRules(db, { plugin, rules, now: clock.now() });
      // They already apply: setting the same rules again is not announced to other servers.
      if (generation === null) return;
      if (inForce.get(plugin) !== generation) put(plugin, rules, generation);
      events.publish({ type: "plugins-changed", generation });
    },
    refresh: async (names) => {
      for (const name of inForce.keys()) {
        if (names.includes(name)) continue;
        inForce.delete(name);
        guard.remove(name);
      }
      if (names.length === 0) return;
      const rows = await db
        .select()
        .from(pluginRules)
        .where(inArray(pluginRules.plugin, [...names]));
      for (const { plugin, rules, generation } of rows) apply(plugin, rules, generation);
    },
  };
};

/** Stores rules, replacing the former ones, and resolves to their number; to `null` if they are the same. */
const storeRules = async (
  db: Database,
  { plugin, rules, now }: { plugin: string; rules: GuardRule[]; now: Date },
): Promise<number | null> => {
  const [row] = await db
    .insert(pluginRules)
    .values({ plugin, rules, generation: 1, updatedAt: now })
    .onConflictDoUpdate({
      target: pluginRules.plugin,
      set: { rules, generation: sql`${pluginRules.generation} + 1`, updatedAt: now },
      setWhere: sql`${pluginRules.rules} <> excluded.rules`,
    })
    .returning({ generation: pluginRules.generation });
  return row?.generation ?? null;
};

/** A `jsonb` column contains nothing else. */
const asJson = (value: unknown): Json => value as Json;
