import type { Complaint } from "./account-rules.ts";
import { pageSettingsTexts } from "./page-settings-texts.ts";

/** The lengths that a rate limit's window can have, in milliseconds, with the words for each. */
export const windowChoices = [
  { ms: 60_000, label: "1 minute" },
  { ms: 300_000, label: "5 minutes" },
  { ms: 600_000, label: "10 minutes" },
  { ms: 900_000, label: "15 minutes" },
  { ms: 1_800_000, label: "30 minutes" },
  { ms: 3_600_000, label: "1 hour" },
] as const;

/** How many requests a client may make in a window, at least and at most. */
export const maxRequestsBounds = { least: 10, most: 10_000 } as const;

/** How long the message of a refused request may be, in characters. */
export const limitMessageLength = 200;

/** The limit on requests to the API, one counter a client. `windowMs` is one of {@link windowChoices}. */
export type RateLimitSettings = {
  windowMs: number;
  maxRequests: number;
  /** Signed-in admins are not counted where only admins may call. */
  skipAdminRoutes: boolean;
  /** Calls of plugins are not counted. */
  skipPluginRoutes: boolean;
  enabled: boolean;
  /** What a refused caller reads. */
  message: string;
};

/** Switches that change how requests are understood and answered. */
export type SecuritySettings = {
  /** Whether `X-Forwarded-For` of trusted proxies tells who calls. */
  trustProxy: boolean;
  /** Whether answers carry the headers that harden browsers. */
  helmetEnabled: boolean;
  /** Whether listed origins may call with credentials. */
  corsEnabled: boolean;
};

/** What admins set of the core itself. */
export type CoreSettings = { rateLimiting: RateLimitSettings; security: SecuritySettings };

/** What holds until an admin sets something else. */
export const defaultCoreSettings: CoreSettings = {
  rateLimiting: {
    windowMs: 900_000,
    maxRequests: 100,
    skipAdminRoutes: true,
    skipPluginRoutes: true,
    enabled: true,
    message: "Too many requests from this IP, please try again later.",
  },
  security: { trustProxy: true, helmetEnabled: true, corsEnabled: true },
};

/** Complaint about a number of requests: it must be a whole number within {@link maxRequestsBounds}. */
export const maxRequestsComplaint = (value: unknown): Complaint => {
  const isWhole = typeof value === "number" && Number.isInteger(value);
  if (!isWhole) return pageSettingsTexts.maxRequestsInvalid;
  const { least, most } = maxRequestsBounds;
  return value < least || value > most ? pageSettingsTexts.maxRequestsInvalid : null;
};

/** Complaint about the length of a window: only {@link windowChoices} are offered. */
export const windowComplaint = (value: unknown): Complaint =>
  windowChoices.some(({ ms }) => ms === value) ? null : pageSettingsTexts.windowInvalid;
