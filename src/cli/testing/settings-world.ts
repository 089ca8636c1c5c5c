import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { type Outcome, run, success, type World } from "./run.ts";

/** The core settings that the API in these tests answers. */
export const core = {
  rateLimiting: { ...coreSettings.defaults.rateLimiting, message: "Too many" },
  security: { ...coreSettings.defaults.security, corsEnabled: false },
};
/** The account settings that it answers. */
export const accounts = accountSettings.defaults;
/** The site settings that it answers. */
export const site = { ...siteSettings.defaults, locked: [] };
/** What the setting of an uploaded image holds. */
export const uploaded = `${"0123456789abcdef".repeat(2)} full-1x1.png`;
/** The external services that it answers. */
export const credentials = {
  redis: { endpoint: "redis://cache.example", hasPassword: true },
  cloudflareR2: {
    bucket: "",
    token: "",
    accessKeyId: "",
    secretAccessKey: "",
    endpointS3: "",
    hasToken: false,
    hasAccessKeyId: false,
    hasSecretAccessKey: false,
    otherEndpoints: ["https://storage.example"],
  },
};
const steps = [
  { name: "Address", status: "passed", message: "cache.example is 203.0.113.9", durationMs: 1.6 },
  { name: "Sign-in", status: "failed", message: "wrong password\u001b[2J", remedy: "Enter it again" },
];
/** The connection test that it answers. */
export const testResult = {
  title: "Redis Connection Test Failed",
  message: "Wrong password",
  severity: "error",
  details: "",
  testResults: steps,
};
/** The only change in its history. */
export const change = {
  id: 12,
  at: "2026-11-20T18:40:12.000Z",
  section: "credentials",
  by: "ada@example.com",
  fields: [
    { path: "redis.endpoint", isSecret: false, before: null, after: "redis://cache.example" },
    { path: "redis.password", isSecret: true, deed: "set" },
  ],
  reverts: null,
  canRevert: true,
  losesSecrets: ["redis.password"],
};

const answer = ({ url, method }: Request): Response => {
  const { pathname } = new URL(url);
  if (method === "POST" && pathname.endsWith("/revert")) return success({ ...change, id: 13, reverts: 12 });
  if (pathname.endsWith("/history"))
    return success({ changes: [change], pagination: { total: 1, limit: 25 } });
  if (pathname.endsWith("/images")) return success({ image: "logo", value: uploaded, files: [] });
  if (method === "POST") return success({ testResult });
  if (pathname.endsWith("/accounts")) return success(accounts);
  if (pathname.endsWith("/site")) return success(site);
  return success(pathname.endsWith("/core") ? core : credentials);
};
/** Runs `atrium settings` with these words. */
export const settings = (argv: string[], world: World = {}) =>
  run(["settings", ...argv], { answer, ...world });

/** The calls that were made, each as method, path below the settings and body. */
export const callsOf = async ({ calls }: Outcome): Promise<string[]> =>
  Promise.all(
    calls.map(async (call) => {
      const { pathname, search } = new URL(call.url);
      const path = `${pathname}${search}`.replace("/api/auth/settings/", "");
      return [call.method, path, await call.text()].filter(Boolean).join(" ");
    }),
  );

/** The same, without those that only read. */
export const changesOf = async (outcome: Outcome): Promise<string[]> =>
  (await callsOf(outcome)).filter((call) => !call.startsWith("GET "));
