import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/within.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { PluginInstance } from "./plugin-instance.ts";
import { InvocationError } from "./runtime.ts";

/** Asks plugins how they are. */
export type HealthWatch = {
  /** Asks one; resolves to what it complains of for the third time in a row, and to `null` otherwise. */
  ask(instance: PluginInstance): Promise<string | null>;
};

// A little more than a runtime allows its plugin.
const answerMs = pluginLimits.wallMs + 2_000;

/** Begins with nobody asked; `warn` gets each complaint. */
export const createHealthWatch = (warn: (complaint: string) => void): HealthWatch => {
  const misses = new WeakMap<PluginInstance, number>();
  const asked = new WeakSet<PluginInstance>();
  return {
    ask: async (instance) => {
      if (asked.has(instance)) return null;
      asked.add(instance);
      const complaint = await complaintOf(instance);
      asked.delete(instance);
      const count = complaint === null ? 0 : (misses.get(instance) ?? 0) + 1;
      misses.set(instance, count);
      if (complaint !== null) warn(complaint);
      return count < pluginLimits.healthFailures ? null : complaint;
    },
  };
};

const complaintOf = async ({ live }: PluginInstance): Promise<string | null> => {
  try {
    const { ok, detail } = await within(answerMs, live.runtime.health());
    return ok ? null : (detail ?? "it does not say why");
  } catch (error) {
    // Who has too much to do is not ill.
    if (error instanceof InvocationError && error.kind === "too-many") return null;
    return describeError(error).message;
  }
};
