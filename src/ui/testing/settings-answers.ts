import type { MailState } from "#api/modules/mail/contract.ts";
import type { Credentials } from "#api/modules/settings/contract.ts";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { accountSettings, type CoreSettings, coreSettings } from "#contract/core-settings.ts";
import type { Answers } from "./scripted-api.ts";

/** External services as they are before anything is set up, with what a test needs changed. */
export const someCredentials = ({
  redis = {},
  cloudflareR2 = {},
}: {
  redis?: Partial<Credentials["redis"]>;
  cloudflareR2?: Partial<Credentials["cloudflareR2"]>;
} = {}): Credentials => ({
  redis: { endpoint: "", hasPassword: false, ...redis },
  cloudflareR2: {
    bucket: "",
    token: "",
    accessKeyId: "",
    secretAccessKey: "",
    endpointS3: "",
    hasToken: false,
    hasAccessKeyId: false,
    hasSecretAccessKey: false,
    otherEndpoints: [],
    ...cloudflareR2,
  },
});

/** Core settings, with what a test needs changed. */
export const someCore = (rateLimiting: Partial<CoreSettings["rateLimiting"]> = {}): CoreSettings => ({
  rateLimiting: {
    ...coreSettings.defaults.rateLimiting,
    skipPluginRoutes: false,
    message: "Too many requests, please try again later.",
    ...rateLimiting,
  },
  security: coreSettings.defaults.security,
});

const unused = {
  state: "unused",
  server: null,
  source: null,
  since: "2026-10-28T09:00:00.000Z",
  reason: null,
} as const;

const status: SystemStatus = {
  firewall: {
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
  },
  redis: unused,
  storage: { ...unused, home: "database", inDatabase: 4, inR2: 0, migration: null },
  limiter: { isEnabled: true, store: "memory" },
  cors: { origins: [] },
  isSafeMode: false,
  visitor: {
    ip: "203.0.113.7",
    peer: "10.0.0.2",
    isBehindTrustedProxy: true,
    trustedProxies: ["10.0.0.0/8"],
    warning: null,
  },
};

const counts: MailState["counts"] = { waiting: 0, sent: 0, dead: 0 };
const mail: MailState = {
  ...{
    transport: "outbox",
    server: null,
    from: "Atrium <atrium@example.test>",
    isHealthy: true,
    lastError: null,
  },
  counts,
};

/** What the page of settings asks for. */
export const settingsAnswers = (credentials = someCredentials(), core = someCore()): Answers => ({
  "GET /api/auth/settings/credentials": { data: credentials },
  "GET /api/auth/settings/core": { data: core },
  "GET /api/auth/settings/accounts": { data: accountSettings.defaults },
  "GET /api/auth/settings/history": { data: { changes: [], pagination: { total: 0, limit: 10 } } },
  "GET /api/system/status": { data: status },
  "GET /api/admin/mail": { data: mail },
  "GET /api/admin/mails": { data: { mails: [], counts, pagination: { total: 0, limit: 10 } } },
});
