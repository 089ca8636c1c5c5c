import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, operation } from "#contract/operation.ts";

const forAdmins = { access: "admin", proof: "none", responds: "data", tag: "System" } as const;

const part = (kit: Kit) =>
  kit.object({
    state: kit.choice(["up", "away", "degraded", "starting", "unused"]),
    since: kit.text({ format: "date-time", description: "As far as this process knows" }),
    note: kit.nullable(kit.text({ description: "What is wrong" })),
  });

const service = (kit: Kit) => ({
  state: kit.choice(["unused", "connecting", "up", "away"]),
  server: kit.nullable(kit.text({ description: "Host and port, or origin; null if not configured" })),
  source: kit.nullable(kit.choice(["settings", "environment"])),
  since: kit.text(),
  reason: kit.nullable(kit.text({ description: "Why it is unavailable" })),
});

/** Rows of a part of the database, or why they could not be read. */
const rows = (kit: Kit) =>
  kit.object({
    rows: kit.list(kit.facts),
    problem: kit.nullable(kit.text({ description: "Why it could not be read" })),
  });

/** What the installation tells of itself. Readiness and metrics have bearers of their own, and are declared as routes. */
export const systemContract = {
  health: operation("GET /api/health", {
    access: "public",
    proof: "none",
    responds: "fields",
    tag: "System",
    schemas: (kit) => ({ answer: kit.object({ status: kit.literal("alive") }) }),
    summary: "Whether the process is alive",
    description:
      "For supervisors that restart processes: responds from the first connection on, whether or not the database is available, to any host name, and is never rate limited. `/api/ready` tells whether requests can be served.",
  }),
  overview: operation("GET /api/admin", {
    ...forAdmins,
    responds: "fields",
    scope: "plugins",
    tag: "Admin",
    schemas: (kit) => ({
      answer: kit.object({ availablePlugins: kit.list(kit.text()), timestamp: kit.instant }),
    }),
    summary: "Available plugins and the server's time",
    description:
      "The first request of the admin area: `availablePlugins` are the names of the enabled plugins, `timestamp` is the server's time in UTC.",
    calledBy: {
      command: null,
      action: "Open the admin area",
      why: "commands don't need to sign in to an area",
    },
  }),
  parts: operation("GET /api/system/readiness", {
    ...forAdmins,
    scope: "all",
    schemas: (kit) => ({
      answer: kit.object({
        status: kit.choice(["ready", "degraded"]),
        parts: kit.object({
          database: part(kit),
          disk: part(kit),
          redis: part(kit),
          storage: part(kit),
          mail: part(kit),
          plugins: part(kit),
        }),
      }),
    }),
    errors: ["SHUTTING_DOWN"],
    summary: "The state of each part that the server needs, and since when",
    description:
      "For administrators what `/api/ready` tells holders of `METRICS_TOKEN`: database, disk, Redis, object storage, email and plugins, each with its state, since when as far as this process knows, and what is wrong. Fails with 503 when `/api/ready` does.",
    calledBy: {
      command: "doctor",
      action: "See the state of each part",
      why: "doctor checks the same parts, and more",
    },
  }),
  info: operation("GET /api/system/info", {
    ...forAdmins,
    scope: "any",
    schemas: (kit) => ({
      answer: kit.object({
        version: kit.text(),
        startedAt: kit.instant,
        uptimeS: kit.count,
        appUrl: kit.text(),
        node: kit.object({ rssBytes: kit.count, cpus: kit.count }),
        database: kit.object({
          kind: kit.choice(["postgres", "embedded"]),
          version: kit.text(),
          sizeBytes: kit.count,
          latencyMs: kit.number({ minimum: 0 }),
        }),
        mail: kit.object({ transport: kit.choice(["smtp", "outbox"]), waiting: kit.count, dead: kit.count }),
        users: kit.object({ total: kit.count, admins: kit.count, pending: kit.count }),
        passkeysOfOtherHosts: kit.optional(kit.count),
      }),
    }),
    names: { "200.data.mail.transport": "MailTransport" },
    summary: "Version, uptime, database, email and user counts",
    description:
      "What the overview of the admin area shows: start time, memory and processors of the responding process; type, size and response time of the database; waiting and dead emails; number of users. Version and size of the database may be a minute old.",
    calledBy: { command: "status", action: "Show the server" },
    tool: {
      name: "system_info",
      title: "About the installation",
      description: "Version, uptime, database, email and user counts.",
    },
  }),
  status: operation("GET /api/system/status", {
    ...forAdmins,
    scope: "any",
    schemas: (kit) => ({
      answer: kit.object({
        firewall: kit.object({
          installed: kit.flag(),
          enabled: kit.flag(),
          masterSwitchEnabled: kit.flag(),
          rateLimitingEnabled: kit.flag(),
          developmentModeEnabled: kit.flag(),
        }),
        redis: kit.object(service(kit)),
        storage: kit.object({
          ...service(kit),
          home: kit.choice(["database", "r2"]),
          inDatabase: kit.count,
          inR2: kit.count,
          migration: kit.nullable(
            kit.object({ moved: kit.count, total: kit.count, bytes: kit.count, failed: kit.count }),
          ),
        }),
        limiter: kit.object({
          isEnabled: kit.flag({ description: "Also false while the firewall's rate limit is used instead" }),
          store: kit.choice(["memory", "redis"]),
        }),
        breachCheck: kit.optional(
          kit.object({
            mode: kit.choice(["off", "online"]),
            failedAt: kit.nullable(kit.instant, {
              description: "When a new password could not be checked, if within the last hour",
            }),
          }),
        ),
        missingHome: kit.optional(kit.text({ description: "A home page that is gone" })),
        cors: kit.object({ origins: kit.list(kit.text(), { description: "What CORS_ORIGINS lists" }) }),
        isSafeMode: kit.flag({
          description: "Started in safe mode: all plugins are off until the next start",
        }),
        visitor: kit.object({
          ip: kit.text({ description: "The address that counts for rate limits, lists and logs" }),
          peer: kit.text({ description: "The address at the other end of the connection" }),
          isBehindTrustedProxy: kit.flag(),
          trustedProxies: kit.list(kit.text(), {
            description:
              "Proxies whose `X-Forwarded-For` is trusted: addresses and ranges; empty while Trust Proxy is off",
          }),
          warning: kit.nullable(kit.text({ description: "What is probably wrong with the proxy settings" })),
          newestVisitor: kit.optional(
            kit.nullable(
              kit.text({
                description: "For the operator: the address of the most recent visitor, as it counts",
              }),
            ),
          ),
        }),
      }),
    }),
    names: { "200.data.redis.state": "ConnectionState", "200.data.redis.source": "ConnectionSource" },
    summary: "Firewall, Redis, object storage, rate limit, and the caller's address",
    description:
      "As the responding process sees it at this moment: switches of the firewall, whether Redis and object storage are available and if not, why, where requests are counted, which other origins are allowed, and which address the caller has. `visitor.warning` says what is probably wrong with the proxy settings.",
    calledBy: { command: "status", action: "Show the services" },
    tool: {
      name: "system_status",
      title: "State of the installation",
      description: "Firewall, Redis, object storage, rate limit, and the caller's address.",
    },
  }),
  support: operation("GET /api/system/support", {
    ...forAdmins,
    access: "operator",
    schemas: (kit) => ({
      answer: kit.object({
        tables: rows(kit),
        server: rows(kit),
        migrations: rows(kit),
        settings: rows(kit),
        secrets: rows(kit),
        plugins: rows(kit),
        mails: rows(kit),
        activity: rows(kit),
      }),
    }),
    names: { "200.data.tables": "SupportRows" },
    summary: "Facts from the database for troubleshooting",
    description: "Sizes, settings without secrets, plugins, and the number of events per day.",
  }),
};

/** What greets an admin: names of the enabled plugins and the time of access. */
export type AdminAccess = AnswerOf<typeof systemContract.overview>;
/** The server's own account of itself. */
export type SystemInfo = AnswerOf<typeof systemContract.info>;
/** What decides about requests at this moment, what is used from outside, and how the caller is seen. */
export type SystemStatus = AnswerOf<typeof systemContract.status>;
/** How each part is doing that requests are answered with. */
export type SystemParts = AnswerOf<typeof systemContract.parts>;
/** What the database tells whoever looks for a fault: nothing of people, no secrets. */
export type SupportFacts = AnswerOf<typeof systemContract.support>;
/** A part of that: its rows, or why they could not be read. */
export type SupportPart = SupportFacts["tables"];
