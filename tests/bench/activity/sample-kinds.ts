import {
  type ActivitySeverity,
  type ActivityStatus,
  type ActivityType,
  type ActorKind,
  activityTypes,
} from "#contract/activity.ts";

/** One combination of what activities are filtered by, with its share of a sample log; all shares make 1. */
export type SampleKind = {
  plugin: string;
  type: ActivityType;
  status: ActivityStatus;
  severity: ActivitySeverity;
  actor: ActorKind;
  share: number;
};

/** Twelve plugins beside Atrium itself; one makes a third of all rows, one three in a thousand. */
const samplePlugins: Record<string, number> = {
  core: 0.12,
  "web-performance-optimization": 0.33,
  firewall: 0.18,
  "seo-toolkit": 0.08,
  "image-optimizer": 0.07,
  backup: 0.06,
  forms: 0.05,
  newsletter: 0.035,
  analytics: 0.03,
  comments: 0.02,
  "search-index": 0.015,
  shop: 0.007,
  redirects: 0.003,
};

/** All kinds that a log of years can have seen: some thousands, most of them rare. */
export const sampleKinds = (): SampleKind[] =>
  Object.entries(samplePlugins).flatMap(([plugin, pluginShare]) =>
    activityTypes.flatMap((type) =>
      outcomesOf(type).flatMap(({ status, severity, share }) =>
        actorsOf(type).map(([actor, actorShare]) => ({
          plugin,
          type,
          status,
          severity,
          actor,
          share: pluginShare * shareOf(type) * share * actorShare,
        })),
      ),
    ),
  );

const frequent: Partial<Record<ActivityType, number>> = {
  api_call: 0.37,
  network_request: 0.22,
  file_read: 0.13,
  file_write: 0.09,
  admin_action: 0.05,
  configuration_changed: 0.03,
  permission_violation: 0.02,
};
const frequentSum = Object.values(frequent).reduce((sum, share) => sum + share, 0);
const rest = (1 - frequentSum) / (activityTypes.length - Object.keys(frequent).length);

const shareOf = (type: ActivityType): number => frequent[type] ?? rest;

const ofItself: ReadonlySet<ActivityType> = new Set(["network_request", "file_read", "file_write"]);
const troubles: ReadonlySet<ActivityType> = new Set([
  "permission_violation",
  "suspicious_activity",
  "health_check_failed",
  "plugin_failed",
  "signature_failed",
]);

const actorsOf = (type: ActivityType): [ActorKind, number][] => {
  if (ofItself.has(type)) return [["plugin", 1]];
  if (troubles.has(type))
    return [
      ["system", 0.6],
      ["visitor", 0.4],
    ];
  return [
    ["user", 0.7],
    ["token", 0.2],
    ["operator", 0.1],
  ];
};

type Outcome = { status: ActivityStatus; severity: ActivitySeverity; share: number };

const failures = (share: number): Outcome[] => [
  { status: "failure", severity: "low", share: share * 0.2 },
  { status: "failure", severity: "medium", share: share * 0.49 },
  { status: "failure", severity: "high", share: share * 0.3 },
  { status: "failure", severity: "critical", share: share * 0.01 },
];

const outcomesOf = (type: ActivityType): Outcome[] => {
  if (troubles.has(type)) return failures(1);
  return [
    { status: "success", severity: "low", share: 0.89 },
    { status: "success", severity: "medium", share: 0.03 },
    ...failures(0.04),
    { status: "warning", severity: "medium", share: 0.02 },
    { status: "warning", severity: "high", share: 0.01 },
    { status: "info", severity: "low", share: 0.01 },
  ];
};
