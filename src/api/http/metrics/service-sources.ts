import type { Services } from "#api/core/context.ts";
import type { Counter, MetricSource } from "#api/core/metrics.ts";
import { describeDatabase } from "#api/modules/system/index.ts";
import type { ServiceState } from "#contract/settings.ts";

const serviceStates: readonly ServiceState["state"][] = ["unused", "connecting", "up", "away"];

export type ServiceTallies = {
  cache: Counter<"hit" | "miss">;
  refusals: Counter<"core" | "plugins" | "attempts">;
};

/** What has to be looked up in the database. */
export type StoredFacts = {
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
