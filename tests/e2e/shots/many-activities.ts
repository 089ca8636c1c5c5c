const minuteMs = 60_000;
const dayMs = 86_400_000;
const newest = 1_204_331;

const kinds = [
  {
    pluginName: "core",
    type: "admin_action",
    action: "Signed in",
    description: "",
    status: "success",
    severity: "low",
    actorKind: "user",
    userEmail: "mira@northwind.example",
    duration: 84,
  },
  {
    pluginName: "firewall",
    type: "suspicious_activity",
    action: "Blocked a request",
    description: "GET /wp-login.php?author=1 from 203.0.113.77 matched pattern 941100",
    status: "warning",
    severity: "high",
    actorKind: "visitor",
    userEmail: null,
    duration: 3,
  },
  {
    pluginName: "core",
    type: "configuration_changed",
    action: "Updated core settings",
    description: "Rate limiting: 100 to 500 requests",
    status: "success",
    severity: "medium",
    actorKind: "operator",
    userEmail: null,
    duration: 1_240,
  },
  {
    pluginName: "web-performance-optimization",
    type: "plugin_failed",
    action: "The plugin stopped with an error that has a rather long name in it",
    description: "TypeError: undefined is not a function",
    status: "failure",
    severity: "critical",
    actorKind: "plugin",
    userEmail: null,
    duration: null,
  },
  {
    pluginName: "core",
    type: "api_call",
    action: "GET /api/admin/activity",
    description: "",
    status: "info",
    severity: "low",
    actorKind: "token",
    userEmail: "maximiliana-wilhelmine.von-der-schulenburg@northwind.example",
    duration: 12,
  },
];

/** Some of 1,204,331 made-up activities: the page that starts `offset` below the newest. */
export const manyActivities = ({ limit, offset }: { limit: number; offset: number }) => ({
  activities: Array.from({ length: limit }, (_, row) => activity(newest - offset - row)),
  pagination: { total: newest, limit, offset, totalIsEstimate: false, searchedNewest: null },
});

/** The activity with this number. */
export const activity = (id: number) => {
  const age = newest - id;
  const kind = kinds[age % kinds.length];
  return {
    id,
    timestamp: new Date(Date.UTC(2026, 9, 28, 9, 30) - age * 7 * minuteMs).toISOString(),
    ...kind,
    userId: "019a9f00-0000-7000-8000-000000000001",
    occurrences: age % 5 === 1 ? 41 : 1,
    requestId: "019a9f00-5d2c-7000-8000-00000000c0de",
    ip: "203.0.113.77",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    changes: age % 5 === 2 ? change : null,
  };
};

const change = {
  before: { rateLimiting: { maxRequests: 100, message: "Too many requests" }, trustProxy: false },
  after: {
    rateLimiting: { maxRequests: 500, message: "Too many requests, please try again later" },
    trustProxy: true,
  },
};

/** What the whole of them comes to. */
export const activityStats = {
  total: newest,
  last24Hours: 8_412,
  failures: 1_977,
  securityEvents: 312,
  byStatus: {},
  bySeverity: {},
  byType: {},
  pluginActivity: ["core", "firewall", "web-performance-optimization"].map((pluginName) => ({
    pluginName,
    count: 1,
  })),
};

/** So many days up to one in October, busier and quieter. */
export const activityDays = (days: number) => ({
  days: Array.from({ length: days }, (_, index) => {
    const total = 900 + Math.round(700 * Math.sin(index / 2.2)) + (index % 7) * 60;
    const date = new Date(Date.UTC(2026, 9, 28) - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    const failures = index % 6 === 0 ? 140 : 12;
    return { date, total, failures, securityEvents: 3 };
  }),
});
