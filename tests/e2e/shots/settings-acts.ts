import type { Page } from "playwright-core";
import { managing, tellStatus } from "../settings-stage.ts";
import { failure, json } from "./answers.ts";
import type { Step as Act } from "./steps.ts";

const since = "2026-10-28T09:00:00.000Z";
const account = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com";

const tellCredentials = (page: Page) =>
  page.route(
    "**/api/auth/settings/credentials",
    json(200, {
      success: true,
      data: {
        redis: { endpoint: "rediss://app@redis.eu-central.northwind.example:6380/2", hasPassword: true },
        cloudflareR2: {
          ...{ bucket: "northwind-packages", token: "", accessKeyId: "", secretAccessKey: "" },
          ...{ endpointS3: account, hasToken: true, hasAccessKeyId: true, hasSecretAccessKey: true },
          otherEndpoints: [],
        },
      },
    }),
  );

const open = async (page: Page, go: () => Promise<void>) => {
  await go();
  await page.getByLabel("Redis URL").waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
};

const scrollTo = (page: Page, section: string) =>
  page
    .getByRole("region", { name: section, exact: true })
    .evaluate((element) => element.scrollIntoView({ block: "start" }));

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

/** Redis is away, objects are on their way, and the proxy is set up wrongly. */
export const troubled: Act = async (page, go) => {
  await tellCredentials(page);
  await tellStatus(page, away);
  await open(page, go);
};

export const troubledSecurity: Act = async (page, go) => {
  await troubled(page, go);
  await scrollTo(page, "Core Security Settings");
};

export const troubledOverview: Act = async (page, go) => {
  await tellStatus(page, away);
  await go();
  await page.getByText("Redis is away").waitFor();
};

export const managed: Act = async (page, go) => {
  await tellStatus(page, { firewall: managing });
  await open(page, go);
  await page.getByText("On", { exact: true }).waitFor();
  await scrollTo(page, "Firewall");
};

export const errors: Act = async (page, go) => {
  await tellCredentials(page);
  await open(page, go);
  await page.getByLabel("Redis URL").fill("redis://other.northwind.example");
  await page.getByLabel("Bucket Name").fill("Northwind");
  await page.getByLabel("API Token").fill("short");
  await page.getByRole("button", { name: "Fix Errors to Save" }).click();
  await page.getByText("Please fix validation errors before saving.").waitFor();
};

export const halfSaved: Act = async (page, go) => {
  await tellCredentials(page);
  await open(page, go);
  await page.route(
    "**/api/auth/settings/core",
    failure(503, "DB_UNAVAILABLE", "The database is restarting."),
  );
  await page.getByRole("button", { name: "Remove Redis Password" }).click();
  await page.getByLabel("Max Requests").fill("250");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Error saving core settings: The database is restarting.").waitFor();
};

export const leave: Act = async (page, go) => {
  await open(page, go);
  await page.getByLabel("Max Requests").fill("250");
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>("a[href='/admin/users']")?.click());
  await page.getByText("Leave without saving?").waitFor();
};

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

const runTest = async (page: Page, status: number, testResult: object) => {
  const body = { success: status === 200, code: "TEST_FAILED", message: "Tested", data: { testResult } };
  await page.route("**/api/auth/settings/test-redis", json(status, body));
  await page.getByRole("button", { name: "Test Redis Connection" }).click();
  await page.getByRole("dialog").waitFor();
};

export const testPassed: Act = async (page, go) => {
  await tellCredentials(page);
  await open(page, go);
  await runTest(page, 200, {
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
  });
};

export const testFailed: Act = async (page, go) => {
  await tellCredentials(page);
  await open(page, go);
  await runTest(page, 422, {
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
  });
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

const tellMails = (page: Page) =>
  page.route("**/api/admin/mails**", (route) => {
    const isOne = new URL(route.request().url()).pathname !== "/api/admin/mails";
    const counts = { waiting: 2, sent: 1_204, dead: 3 };
    const list = { mails: [1, 2, 3].map(mail), counts, pagination: { total: 3, limit: 10 } };
    return route.fulfill({ json: { success: true, data: isOne ? mail(1) : list } });
  });

export const deadMails: Act = async (page, go) => {
  await tellMails(page);
  await open(page, go);
  await page.getByText("mira1@northwind.example").waitFor();
  await scrollTo(page, "Outbox");
};

export const deadMail: Act = async (page, go) => {
  await deadMails(page, go);
  await page.getByRole("button", { name: "mira1@northwind.example" }).click();
  await page.getByRole("dialog").getByText("550").waitFor();
};

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

export const history: Act = async (page, go) => {
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
  const data = { changes, pagination: { total: 14, limit: 10 } };
  await page.route("**/api/auth/settings/history?**", json(200, { success: true, data }));
  await open(page, go);
  await page.getByText("reverts #12").waitFor();
  await scrollTo(page, "History");
};

export const loading: Act = async (page, go) => {
  await page.route("**/api/auth/settings/**", () => {});
  await go();
  await page.locator("[aria-busy=true]").first().waitFor();
};

export const failed: Act = async (page, go) => {
  await page.route(
    "**/api/auth/settings/core",
    failure(503, "DB_UNAVAILABLE", "The database is restarting."),
  );
  await go();
  await page.getByText("Failed to load core settings").waitFor();
};
