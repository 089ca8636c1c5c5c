import { InvalidArgumentError } from "commander";
import { verificationModes } from "#contract/account-settings.ts";
import { maxRequestsBounds, windowChoices } from "#contract/core-settings.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What a setting holds; a secret is never shown, and never taken from an argument. */
export type SettingKind = "text" | "endpoint" | "number" | "window" | "switch" | "secret";

/** The words for the lengths of a window, such as `15m`, with their milliseconds. */
export const windowWords: ReadonlyMap<string, number> = new Map(
  windowChoices.map(({ ms }) => [ms < hourMs ? `${ms / minuteMs}m` : `${ms / hourMs}h`, ms]),
);

/** Every setting by its path, with what it holds and what it is for. */
export const settingPaths = {
  "core.rateLimiting.enabled": { kind: "switch", about: "whether requests to the API are limited" },
  "core.rateLimiting.windowMs": {
    kind: "window",
    about: `length of the window: ${[...windowWords.keys()].join(", ")}, or the same in milliseconds`,
  },
  "core.rateLimiting.maxRequests": {
    kind: "number",
    about: `requests a client may make in a window, ${maxRequestsBounds.least} to ${maxRequestsBounds.most}`,
  },
  "core.rateLimiting.skipAdminRoutes": { kind: "switch", about: "do not count signed-in admins there" },
  "core.rateLimiting.skipPluginRoutes": { kind: "switch", about: "do not count calls of plugins" },
  "core.rateLimiting.message": { kind: "text", about: "what a refused caller reads" },
  "core.security.trustProxy": { kind: "switch", about: "believe the trusted proxies about addresses" },
  "core.security.helmetEnabled": { kind: "switch", about: "send the headers that harden browsers" },
  "core.security.corsEnabled": { kind: "switch", about: "let CORS_ORIGINS call with credentials" },
  "accounts.verification": {
    kind: "text",
    about: `what a verification link does where its owner registered: ${verificationModes.join(" or ")}`,
  },
  "credentials.redis.endpoint": { kind: "endpoint", about: "redis[s]://host[:port][/db]" },
  "credentials.redis.password": { kind: "secret", about: "password of Redis" },
  "credentials.cloudflareR2.bucket": { kind: "text", about: "name of the bucket" },
  "credentials.cloudflareR2.endpointS3": { kind: "endpoint", about: "https address of the object storage" },
  "credentials.cloudflareR2.token": { kind: "secret", about: "API token of Cloudflare" },
  "credentials.cloudflareR2.accessKeyId": { kind: "secret", about: "id of the access key" },
  "credentials.cloudflareR2.secretAccessKey": { kind: "secret", about: "secret of the access key" },
} as const satisfies Record<string, { kind: SettingKind; about: string }>;

export type SettingPath = keyof typeof settingPaths;

/** Whether a text names a setting. */
export const isSettingPath = (text: string): text is SettingPath => Object.hasOwn(settingPaths, text);

/** The path that was typed. Throws, with what was likely meant, when there is no such setting. */
export const settingPath = (text: string): SettingPath => {
  if (isSettingPath(text)) return text;
  const last = text.split(".").at(-1)?.toLowerCase() ?? "";
  const near = Object.keys(settingPaths).filter((path) => path.toLowerCase().endsWith(`.${last}`));
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "see: atrium settings get";
  // What does not look like a path may be a secret in the wrong place, which is not to be repeated.
  const name = /^(?:core|credentials|accounts)[\w.]{0,60}$/.test(text) ? ` "${text}"` : " of that name";
  throw new InvalidArgumentError(`There is no setting${name}; ${hint}`);
};

/** The settings with their kinds, for a command's help. */
export const settingsHelp = (): string => {
  const width = Math.max(...Object.keys(settingPaths).map((path) => path.length));
  const lines = Object.entries(settingPaths).map(([path, { about }]) => `  ${path.padEnd(width)}  ${about}`);
  return `\nSettings:\n${lines.join("\n")}\n`;
};
