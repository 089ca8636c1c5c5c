import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginDefinition } from "#plugins/sdk/types.ts";
import { name, version } from "../plugin.json";
import { type RunningPerformance, startPerformance } from "./start-performance.ts";

const flushMs = 10_000;
const learnMs = 600_000;

let running: RunningPerformance | null = null;

const plugin: PluginDefinition<NativeCtx> = {
  name,
  version,
  setup: (ctx) => {
    running = startPerformance(ctx, { now: () => Date.now(), fetch, flushMs, learnMs });
  },
  teardown: async () => {
    await running?.stop();
    running = null;
  },
};

export default plugin;
