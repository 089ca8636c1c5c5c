import { noTracer, type Tracer } from "#api/core/tracer.ts";
import type { PluginDoor } from "./runtime.ts";

/** What was asked of one plugin's code since the server started, and how often it was started. */
export type PluginUse = { starts: number; calls: number; failures: number; totalMs: number };

/** Begins to follow a call of a plugin's code; the function that comes back hears whether it failed. */
export type InvocationWatch = (plugin: string) => (hasFailed: boolean) => void;

/** Counts what is asked of plugins. */
export type InvocationTally = {
  watch: InvocationWatch;
  door: PluginDoor;
  /** Zeros for a plugin that never ran. */
  of(plugin: string): Readonly<PluginUse>;
};

/** Counts across restarts and versions, and has calls within a trace followed. */
export const createInvocationTally = (tracer: Tracer = noTracer): InvocationTally => {
  const uses = new Map<string, PluginUse>();
  const tallyOf = (plugin: string): PluginUse => {
    const known = uses.get(plugin) ?? { starts: 0, calls: 0, failures: 0, totalMs: 0 };
    uses.set(plugin, known);
    return known;
  };
  return {
    watch: (plugin) => {
      const use = tallyOf(plugin);
      const startedNs = Bun.nanoseconds();
      const span = tracer.begin({ name: `plugin ${plugin}`, kind: "internal" });
      return (hasFailed) => {
        use.calls += 1;
        use.totalMs += (Bun.nanoseconds() - startedNs) / 1_000_000;
        if (hasFailed) use.failures += 1;
        span?.end(hasFailed ? "failed" : undefined);
      };
    },
    door: {
      open: ({ manifest }) => {
        tallyOf(manifest.name).starts += 1;
      },
      suspend: () => {},
      close: () => {},
    },
    of: (plugin) => uses.get(plugin) ?? { starts: 0, calls: 0, failures: 0, totalMs: 0 },
  };
};
