import { managing, tellStatus } from "../settings-stage.ts";
import { json } from "./answers.ts";
import {
  answers,
  hangs,
  isBusy,
  isRestarting,
  meets,
  open,
  presses,
  pressesExactly,
  type Scene,
  type Step,
  type Steps,
  scenesOn,
  scrollsTo,
  sees,
  tells,
  types,
} from "./steps.ts";

const since = "2026-10-28T09:00:00.000Z";
const account = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com";

const tellsCredentials = tells("**/api/auth/settings/credentials", {
  redis: { endpoint: "rediss://app@redis.eu-central.northwind.example:6380/2", hasPassword: true },
  cloudflareR2: {
    ...{ bucket: "northwind-packages", token: "", accessKeyId: "", secretAccessKey: "" },
    ...{ endpointS3: account, hasToken: true, hasAccessKeyId: true, hasSecretAccessKey: true },
    otherEndpoints: [],
  },
});

const tellsStatus =
  (status: Parameters<typeof tellStatus>[1]): Step =>
  (page) =>
    tellStatus(page, status);

const opens: Steps = [
  open,
  (page) => page.getByLabel("Redis URL").waitFor(),
  (page) => page.locator("[aria-busy=true]").first().waitFor({ state: "detached" }),
];

/** Redis is away, objects are on their way, and the proxy is set up wrongly. */
const away = {
  redis: {
    state: "away",
    server: "redis.eu-central.northwind.example:6380",
    source: "settings",
    since,
    reason: "The password is wrong.",
  },
  storage: {
    state: "up",
    server: account,
    source: "settings",
    since,
    reason: null,
    home: "r2",
    inDatabase: 18,
    inR2: 24,
    migration: { moved: 24, total: 42, bytes: 310_000_000, failed: 2 },
  },
  visitor: {
    ip: "10.0.0.2",
    peer: "10.0.0.2",
    isBehindTrustedProxy: false,
    trustedProxies: ["loopback"],
    warning: "Every visitor of the last hour had this address. Name your proxy in TRUSTED_PROXIES.",
  },
};

const troubled = [tellsCredentials, tellsStatus(away), opens];
const coreApi = "**/api/auth/settings/core";
const leavesForUsers: Step = (page) =>
  page.evaluate(() => document.querySelector<HTMLAnchorElement>("a[href='/admin/users']")?.click());

const steps = [
  {
    name: "Connect",
    status: "passed",
    message: "Connected to redis.northwind.example:6380 by TLS 1.3",
    durationMs: 14.2,
  },
  { name: "Sign in", status: "passed", message: "Signed in as app", durationMs: 2.4 },
  { name: "Round trip", status: "passed", message: "Wrote and read a value", durationMs: 1.1 },
];

const tests = (status: number, testResult: object) => {
  const body = { success: status === 200, code: "TEST_FAILED", message: "Tested", data: { testResult } };
  return [
    [tellsCredentials, opens, answers("**/api/auth/settings/test-redis", body, status)],
    [presses("Test Redis Connection"), meets("dialog")],
  ];
};
const passed = {
  title: "Redis Connection Test Successful",
  message: "Redis 7.2 answers in about 1 ms.",
  severity: "warning",
  details: "It works, but one thing should be changed.",
  testResults: [
    ...steps,
    {
      name: "Memory",
      status: "warning",
      message: "The policy is noeviction: when memory is full, writes fail.",
      remedy: "Set maxmemory-policy to allkeys-lru.",
      durationMs: 0.8,
    },
  ],
};
const refused = {
  title: "Redis Connection Test Failed",
  message: "The password is wrong.",
  severity: "error",
  details: "",
  testResults: [
    ...steps.slice(0, 1),
    {
      name: "Sign in",
      status: "failed",
      message: "The server refused the password.",
      remedy: "Enter the password of the user app again.",
      durationMs: 2.4,
    },
    { name: "Round trip", status: "skipped", message: "Not tried" },
  ],
};

const mail = (number: number) => ({
  id: `019a9f00-0000-7000-8000-00000000000${number}`,
  recipient:
    number === 2
      ? "a.very.long.local.part.of.an.address@northwind.example"
      : `mira${number}@northwind.example`,
  subject:
    number === 1
      ? "Reset your password"
      : "Verify your e-mail address, please, and thank you for registering",
  status: "dead",
  attempts: 8,
  lastError: "550 5.1.1 The email account that you tried to reach does not exist",
  nextAttemptAt: null,
  createdAt: since,
  sentAt: null,
  canRetry: number !== 3,
});

const tellsMails: Step = (page) =>
  page.route("**/api/admin/mails**", (route) => {
    const isOne = new URL(route.request().url()).pathname !== "/api/admin/mails";
    const counts = { waiting: 2, sent: 1_204, dead: 3 };
    const list = { mails: [1, 2, 3].map(mail), counts, pagination: { total: 3, limit: 10 } };
    return json(200, { success: true, data: isOne ? mail(1) : list })(route);
  });
const deadMails = [tellsMails, opens, sees("mira1@northwind.example"), scrollsTo("Outbox")];

const change = (id: number, more: object) => ({
  id,
  at: since,
  section: "core",
  by: "ada@example.test",
  fields: [{ path: "rateLimiting.maxRequests", isSecret: false, before: 100, after: 250 }],
  reverts: null,
  canRevert: true,
  losesSecrets: [],
  ...more,
});

const changes = [
  change(14, { reverts: 12 }),
  change(13, {
    section: "credentials",
    by: "maximiliana-wilhelmine.von.der.schulenburg@northwind.example",
    fields: [
      { path: "cloudflareR2.endpointS3", isSecret: false, before: "", after: account },
      { path: "cloudflareR2.secretAccessKey", isSecret: true, deed: "replaced" },
    ],
  }),
  change(12, { canRevert: false }),
  change(11, {
    section: "credentials",
    fields: [{ path: "redis.password", isSecret: true, deed: "removed" }],
    canRevert: false,
  }),
];
const history = { changes, pagination: { total: 14, limit: 10 } };

/** The page of settings, and what the overview says of their services. */
export const settingsScenes: readonly Scene[] = [
  ...scenesOn("admin", "/admin", {
    "admin-troubled": [tellsStatus(away), open, sees("Redis is away")],
  }),
  ...scenesOn("admin", "/admin/settings", {
    "settings-troubled": troubled,
    "settings-security": [troubled, scrollsTo("Core Security Settings")],
    "settings-managed": [
      [tellsStatus({ firewall: managing }), opens],
      (page) => page.getByText("On", { exact: true }).waitFor(),
      scrollsTo("Firewall"),
    ],
    "settings-errors": [
      [tellsCredentials, opens, types("Redis URL", "redis://other.northwind.example")],
      [types("Bucket Name", "Northwind"), types("API Token", "short"), presses("Fix Errors to Save")],
      sees("Please fix validation errors before saving."),
    ],
    "settings-half-saved": [
      [tellsCredentials, opens, isRestarting(coreApi), presses("Remove Redis Password")],
      [types("Max Requests", "250"), pressesExactly("Save")],
      sees("Error saving core settings: The database is restarting."),
    ],
    "settings-leave": [[opens, types("Max Requests", "250"), leavesForUsers, sees("Leave without saving?")]],
    "settings-test-passed": tests(200, passed),
    "settings-test-failed": tests(422, refused),
    "settings-history": [
      [tells("**/api/auth/settings/history?**", history), opens],
      [sees("reverts #12"), scrollsTo("History")],
    ],
    "settings-loading": [hangs("**/api/auth/settings/**"), open, isBusy],
    "settings-failed": [isRestarting(coreApi), open, sees("Failed to load core settings")],
  }),
  ...scenesOn("admin", "/admin/settings?mails=dead", {
    "settings-mails": deadMails,
    "settings-mail": [
      [deadMails, presses("mira1@northwind.example")],
      (page) => page.getByRole("dialog").getByText("550").waitFor(),
    ],
  }),
];
