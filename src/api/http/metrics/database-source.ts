import type { MetricSource } from "#api/core/metrics.ts";
import { within } from "#api/core/timing.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { processMemory } from "#api/plugin-host/sandbox/process-memory.ts";

const prefix = "atrium_database";
const pingMs = 2_000;

/** What the database is asked and how it answers, as this process sees it. */
export const databaseSource = (handle: DatabaseHandle): MetricSource => ({
  name: "database",
  metrics: [
    { name: `${prefix}_up`, kind: "gauge", help: "Whether the database answers" },
    { name: `${prefix}_ping_seconds`, kind: "gauge", help: "How long it took to answer at this scrape" },
    { name: `${prefix}_queries_total`, kind: "counter", help: "Statements that were finished" },
    { name: `${prefix}_query_seconds_total`, kind: "counter", help: "Time they took, waiting included" },
    {
      name: `${prefix}_query_failures_total`,
      kind: "counter",
      help: "Statements that the database refused, or that got no answer (lost)",
      labels: ["kind"],
    },
    { name: `${prefix}_queries_in_flight`, kind: "gauge", help: "Statements under way or waiting" },
    { name: `${prefix}_connections`, kind: "gauge", help: "Open connections of this process" },
    { name: `${prefix}_connections_max`, kind: "gauge", help: "How many there may be" },
    {
      name: `${prefix}_child_restarts_total`,
      kind: "counter",
      help: "How often the embedded database was started again",
    },
    { name: `${prefix}_child_resident_memory_bytes`, kind: "gauge", help: "Memory of its process; on Linux" },
  ],
  read: async () => {
    const latencyS = await ping(handle);
    const { finished, refused, lost, totalMs, underWay } = handle.queries;
    const { open, most } = handle.connections();
    const child = handle.child();
    const memory = child?.pid == null ? null : processMemory(child.pid);
    return [
      { name: `${prefix}_up`, value: latencyS === null ? 0 : 1 },
      ...(latencyS === null ? [] : [{ name: `${prefix}_ping_seconds`, value: latencyS }]),
      { name: `${prefix}_queries_total`, value: finished },
      { name: `${prefix}_query_seconds_total`, value: totalMs / 1000 },
      { name: `${prefix}_query_failures_total`, labels: { kind: "refused" }, value: refused },
      { name: `${prefix}_query_failures_total`, labels: { kind: "lost" }, value: lost },
      { name: `${prefix}_queries_in_flight`, value: underWay },
      { name: `${prefix}_connections`, value: open },
      { name: `${prefix}_connections_max`, value: most },
      ...(child === null ? [] : [{ name: `${prefix}_child_restarts_total`, value: child.restarts }]),
      ...(memory === null
        ? []
        : [{ name: `${prefix}_child_resident_memory_bytes`, value: memory.residentBytes }]),
    ];
  },
});

const ping = async (handle: DatabaseHandle): Promise<number | null> => {
  const startedMs = performance.now();
  try {
    await within(pingMs, handle.check());
    return (performance.now() - startedMs) / 1000;
  } catch {
    // That it is away is what there is to tell.
    return null;
  }
};
