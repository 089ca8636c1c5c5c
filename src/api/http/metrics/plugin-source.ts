import type { MetricSource, Sample } from "#api/core/metrics.ts";
import type { PluginDesk } from "#api/core/plugins.ts";
import type { PluginUse } from "#api/plugin-host/life-cycle/plugin-instance.ts";
import { pluginStates } from "#contract/plugins.ts";

const prefix = "atrium_plugin";
const labels = ["plugin"];

/** How plugins stand on this server, and what was asked of them. */
export const pluginSource = (
  plugins: Pick<PluginDesk, "states" | "observe"> & { tallyOf(plugin: string): Readonly<PluginUse> },
): MetricSource => ({
  name: "plugins",
  metrics: [
    {
      name: `${prefix}_state`,
      kind: "gauge",
      help: "1 for how a plugin stands, 0 for the others",
      labels: ["plugin", "state"],
    },
    { name: `${prefix}_starts_total`, kind: "counter", help: "How often it began to run", labels },
    {
      name: `${prefix}_calls_total`,
      kind: "counter",
      help: "Calls of its routes, jobs and listeners",
      labels,
    },
    {
      name: `${prefix}_call_failures_total`,
      kind: "counter",
      help: "Those that threw, or took too long",
      labels,
    },
    { name: `${prefix}_call_seconds_total`, kind: "counter", help: "Time that calls took", labels },
    {
      name: `${prefix}_memory_bytes`,
      kind: "gauge",
      help: "Private memory of its process, where it has one",
      labels,
    },
  ],
  read: () =>
    plugins.states().flatMap(({ name, state }): Sample[] => {
      const own = { plugin: name };
      const { starts, calls, failures, totalMs } = plugins.tallyOf(name);
      const { memoryBytes } = plugins.observe(name);
      return [
        ...pluginStates.map((one) => ({
          name: `${prefix}_state`,
          labels: { ...own, state: one },
          value: one === state ? 1 : 0,
        })),
        { name: `${prefix}_starts_total`, labels: own, value: starts },
        { name: `${prefix}_calls_total`, labels: own, value: calls },
        { name: `${prefix}_call_failures_total`, labels: own, value: failures },
        { name: `${prefix}_call_seconds_total`, labels: own, value: totalMs / 1000 },
        ...(memoryBytes === null
          ? []
          : [{ name: `${prefix}_memory_bytes`, labels: own, value: memoryBytes }]),
      ];
    }),
});
