import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import type { Counter, MetricSource, Readiness, Sample } from "#api/core/metrics.ts";
import type { PluginService } from "#api/core/plugins.ts";
import { within } from "#api/core/timing.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { describeDatabase } from "#api/modules/system/index.ts";
import type { PluginUse } from "#api/plugin-host/life-cycle/plugin-instance.ts";
import { processMemory } from "#api/plugin-host/sandbox/process-memory.ts";
import { pluginStates } from "#contract/plugins.ts";
import type { ServiceState } from "#contract/settings.ts";

const states = ["starting", "ready", "degraded", "draining", "unavailable"] as const;
const askMs = 2_000;

/** Whether requests can be answered, and how often sessions are remembered. */
export const appSource = ({
  readiness,
  sessionLooks,
  isStarting = () => false,
}: {
  readiness: Readiness;
  sessionLooks: { asked: number; read: number };
  /** Whether only probes are answered yet. */
  isStarting?: () => boolean;
}): MetricSource => ({
  name: "app",
  metrics: [
    {
      name: "atrium_ready_state",
      kind: "gauge",
      help: "1 for the state that /api/ready reports, 0 for the others; unavailable means that the database is away",
      labels: ["state"],
    },
    {
      name: "atrium_session_lookups_total",
      kind: "counter",
      help: "Requests with a session cookie, by where the session was found",
      labels: ["source"],
    },
  ],
  read: async () => {
    const now = isStarting() ? "starting" : await stateOf(readiness);
    const { asked, read } = sessionLooks;
    return [
      ...states.map((state) => ({
        name: "atrium_ready_state",
        labels: { state },
        value: state === now ? 1 : 0,
      })),
      { name: "atrium_session_lookups_total", labels: { source: "memory" }, value: asked - read },
      { name: "atrium_session_lookups_total", labels: { source: "database" }, value: read },
    ];
  },
});

const stateOf = async (readiness: Readiness): Promise<(typeof states)[number]> => {
  try {
    return (await within(askMs, readiness.read())).status;
  } catch (error) {
    return error instanceof AppError && error.kind === "SHUTTING_DOWN" ? "draining" : "unavailable";
  }
};

const databasePrefix = "atrium_database";
const pingMs = 2_000;

/** What the database is asked and how it answers, as this process sees it. */
export const databaseSource = (handle: DatabaseHandle): MetricSource => ({
  name: "database",
  metrics: [
    { name: `${databasePrefix}_up`, kind: "gauge", help: "Whether the database answers" },
    {
      name: `${databasePrefix}_ping_seconds`,
      kind: "gauge",
      help: "How long it took to answer this scrape",
    },
    { name: `${databasePrefix}_queries_total`, kind: "counter", help: "Finished statements" },
    {
      name: `${databasePrefix}_query_seconds_total`,
      kind: "counter",
      help: "Time they took, including waiting",
    },
    {
      name: `${databasePrefix}_query_failures_total`,
      kind: "counter",
      help: "Statements that the database refused, or that got no answer (lost)",
      labels: ["kind"],
    },
    { name: `${databasePrefix}_queries_in_flight`, kind: "gauge", help: "Statements under way or waiting" },
    { name: `${databasePrefix}_connections`, kind: "gauge", help: "Open connections of this process" },
    { name: `${databasePrefix}_connections_max`, kind: "gauge", help: "Largest number of connections" },
    {
      name: `${databasePrefix}_child_restarts_total`,
      kind: "counter",
      help: "Restarts of the embedded database",
    },
    {
      name: `${databasePrefix}_child_resident_memory_bytes`,
      kind: "gauge",
      help: "Memory of its process; on Linux",
    },
  ],
  read: async () => {
    const latencyS = await ping(handle);
    const { finished, refused, lost, totalMs, underWay } = handle.queries;
    const { open, most } = handle.connections();
    const child = handle.child();
    const memory = child?.pid == null ? null : processMemory(child.pid);
    return [
      { name: `${databasePrefix}_up`, value: latencyS === null ? 0 : 1 },
      ...(latencyS === null ? [] : [{ name: `${databasePrefix}_ping_seconds`, value: latencyS }]),
      { name: `${databasePrefix}_queries_total`, value: finished },
      { name: `${databasePrefix}_query_seconds_total`, value: totalMs / 1000 },
      { name: `${databasePrefix}_query_failures_total`, labels: { kind: "refused" }, value: refused },
      { name: `${databasePrefix}_query_failures_total`, labels: { kind: "lost" }, value: lost },
      { name: `${databasePrefix}_queries_in_flight`, value: underWay },
      { name: `${databasePrefix}_connections`, value: open },
      { name: `${databasePrefix}_connections_max`, value: most },
      ...(child === null ? [] : [{ name: `${databasePrefix}_child_restarts_total`, value: child.restarts }]),
      ...(memory === null
        ? []
        : [{ name: `${databasePrefix}_child_resident_memory_bytes`, value: memory.residentBytes }]),
    ];
  },
});

const ping = async (handle: DatabaseHandle): Promise<number | null> => {
  const startedMs = performance.now();
  try {
    await within(pingMs, handle.check());
    return (performance.now() - startedMs) / 1000;
  } catch {
    // That it is away is the metric.
    return null;
  }
};

const pluginPrefix = "atrium_plugin";
const labels = ["plugin"];

/** The state of plugins on this server, and how often they were used. */
export const pluginSource = (
  plugins: Pick<PluginService, "states" | "observe"> & { usageOf(plugin: string): Readonly<PluginUse> },
): MetricSource => ({
  name: "plugins",
  metrics: [
    {
      name: `${pluginPrefix}_state`,
      kind: "gauge",
      help: "1 for the state of a plugin, 0 for the others",
      labels: ["plugin", "state"],
    },
    { name: `${pluginPrefix}_starts_total`, kind: "counter", help: "How often it was started", labels },
    {
      name: `${pluginPrefix}_calls_total`,
      kind: "counter",
      help: "Runs of its routes, jobs and listeners",
      labels,
    },
    {
      name: `${pluginPrefix}_call_failures_total`,
      kind: "counter",
      help: "Those that threw, or took too long",
      labels,
    },
    { name: `${pluginPrefix}_call_seconds_total`, kind: "counter", help: "Time that requests took", labels },
    {
      name: `${pluginPrefix}_memory_bytes`,
      kind: "gauge",
      help: "Private memory of its process, where it has one",
      labels,
    },
  ],
  read: () =>
    plugins.states().flatMap(({ name, state }): Sample[] => {
      const own = { plugin: name };
      const { starts, calls, failures, totalMs } = plugins.usageOf(name);
      const { memoryBytes } = plugins.observe(name);
      return [
        ...pluginStates.map((one) => ({
          name: `${pluginPrefix}_state`,
          labels: { ...own, state: one },
          value: one === state ? 1 : 0,
        })),
        { name: `${pluginPrefix}_starts_total`, labels: own, value: starts },
        { name: `${pluginPrefix}_calls_total`, labels: own, value: calls },
        { name: `${pluginPrefix}_call_failures_total`, labels: own, value: failures },
        { name: `${pluginPrefix}_call_seconds_total`, labels: own, value: totalMs / 1000 },
        ...(memoryBytes === null
          ? []
          : [{ name: `${pluginPrefix}_memory_bytes`, labels: own, value: memoryBytes }]),
      ];
    }),
});

const serviceStates: readonly ServiceState["state"][] = ["unused", "connecting", "up", "away"];

type ServiceTallies = {
  cache: Counter<"hit" | "miss">;
  refusals: Counter<"core" | "plugins" | "attempts">;
};

/** What has to be looked up in the database. */
type StoredFacts = {
  oldestMail: () => Promise<Date | null>;
  activities: () => Promise<number>;
  /** `at` is an ISO time. */
  lastBackup: () => Promise<{ at: string; sizeBytes: number } | null>;
  /** `null` without a schedule. */
  backupDue: () => Promise<Date | null>;
};

/** Sources of the services' metrics, which fail independently. */
export const serviceSources = (
  services: Services,
  { cache, refusals }: ServiceTallies,
  stored: StoredFacts,
): MetricSource[] => [
  {
    name: "cache",
    metrics: [
      {
        name: "atrium_cache_requests_total",
        kind: "counter",
        help: "Cache lookups, by result",
        labels: ["result"],
      },
    ],
    read: () =>
      cache
        .read()
        .map(([result, value]) => ({ name: "atrium_cache_requests_total", labels: { result }, value })),
  },
  {
    name: "limiters",
    metrics: [
      {
        name: "atrium_limiter_refusals_total",
        kind: "counter",
        help: "Requests refused by a limit: the core's, a plugin's rules, or the limit on guesses",
        labels: ["limiter"],
      },
    ],
    read: () =>
      refusals
        .read()
        .map(([limiter, value]) => ({ name: "atrium_limiter_refusals_total", labels: { limiter }, value })),
  },
  {
    name: "database-size",
    metrics: [
      {
        name: "atrium_database_size_bytes",
        kind: "gauge",
        help: "Size of the database on disk; at most a minute old",
      },
    ],
    read: async () => [
      { name: "atrium_database_size_bytes", value: (await describeDatabase(services)).sizeBytes },
    ],
  },
  {
    name: "disk",
    metrics: [
      {
        name: "atrium_data_free_bytes",
        kind: "gauge",
        help: "Free space on the disk of the data folder; absent where the file system does not report it",
      },
    ],
    read: () => {
      const { freeBytes } = services.disk.read();
      return freeBytes === null ? [] : [{ name: "atrium_data_free_bytes", value: freeBytes }];
    },
  },
  {
    name: "outbox",
    metrics: [
      { name: "atrium_outbox_waiting", kind: "gauge", help: "Emails waiting to be sent" },
      { name: "atrium_outbox_dead", kind: "gauge", help: "Emails given up" },
      {
        name: "atrium_outbox_oldest_seconds",
        kind: "gauge",
        help: "How long the oldest one has been waiting; 0 without any",
      },
      { name: "atrium_mail_up", kind: "gauge", help: "Whether the last attempt to send succeeded" },
    ],
    read: async () => {
      const [counts, oldest] = await Promise.all([services.outbox.counts(), stored.oldestMail()]);
      const ageMs = oldest === null ? 0 : services.clock.now().getTime() - oldest.getTime();
      return [
        { name: "atrium_outbox_waiting", value: counts.waiting },
        { name: "atrium_outbox_dead", value: counts.dead },
        { name: "atrium_outbox_oldest_seconds", value: Math.max(0, ageMs / 1000) },
        { name: "atrium_mail_up", value: services.outbox.health().isHealthy ? 1 : 0 },
      ];
    },
  },
  {
    name: "activity",
    metrics: [
      {
        name: "atrium_activity_backlog",
        kind: "gauge",
        help: "Activities not yet in the log; 10,000 means at least that many",
      },
    ],
    read: async () => [{ name: "atrium_activity_backlog", value: await stored.activities() }],
  },
  {
    name: "backups",
    metrics: [
      {
        name: "atrium_backup_last_success_timestamp_seconds",
        kind: "gauge",
        help: "When the last complete backup was started, in Unix time; absent before the first",
      },
      { name: "atrium_backup_last_success_bytes", kind: "gauge", help: "How large it is" },
      {
        name: "atrium_backup_last_try_failed",
        kind: "gauge",
        help: "Whether the latest backup failed; 0 before the first",
      },
      {
        name: "atrium_backup_due_timestamp_seconds",
        kind: "gauge",
        help: "When the schedule has the next complete backup due, in Unix time; absent without a schedule",
      },
    ],
    read: async () => {
      const [last, run, due] = await Promise.all([
        stored.lastBackup(),
        services.backups.run(),
        stored.backupDue(),
      ]);
      const failed = { name: "atrium_backup_last_try_failed", value: run?.state === "failed" ? 1 : 0 };
      const owed =
        due === null ? [] : [{ name: "atrium_backup_due_timestamp_seconds", value: due.getTime() / 1000 }];
      if (last === null) return [failed, ...owed];
      return [
        failed,
        ...owed,
        { name: "atrium_backup_last_success_timestamp_seconds", value: Date.parse(last.at) / 1000 },
        { name: "atrium_backup_last_success_bytes", value: last.sizeBytes },
      ];
    },
  },
  {
    name: "links",
    metrics: [
      { name: "atrium_events_connected", kind: "gauge", help: "Whether events from other replicas arrive" },
      {
        name: "atrium_redis_state",
        kind: "gauge",
        help: "1 for the state of Redis, 0 for the others",
        labels: ["state"],
      },
    ],
    read: () => [
      { name: "atrium_events_connected", value: services.events.isConnected ? 1 : 0 },
      ...serviceStates.map((state) => ({
        name: "atrium_redis_state",
        labels: { state },
        value: services.serviceStates.redis().state === state ? 1 : 0,
      })),
    ],
  },
  {
    name: "storage",
    metrics: [
      {
        name: "atrium_storage_state",
        kind: "gauge",
        help: "1 for the state of the bucket, 0 for the others",
        labels: ["state"],
      },
      {
        name: "atrium_storage_objects",
        kind: "gauge",
        help: "Stored objects, by where they are stored",
        labels: ["home"],
      },
    ],
    read: async () => {
      const storage = await services.serviceStates.storage();
      return [
        ...serviceStates.map((state) => ({
          name: "atrium_storage_state",
          labels: { state },
          value: storage.state === state ? 1 : 0,
        })),
        { name: "atrium_storage_objects", labels: { home: "database" }, value: storage.inDatabase },
        { name: "atrium_storage_objects", labels: { home: "r2" }, value: storage.inR2 },
      ];
    },
  },
];
