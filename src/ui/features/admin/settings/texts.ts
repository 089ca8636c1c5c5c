import type { ProviderState } from "#contract/provider-settings.ts";
import { counted } from "../format.ts";

/** Words of the page as a whole, and of its bar. */
export const settingsPageTexts = {
  title: "Settings",
  lead: "Accounts, external services, limits, security and email of this installation",
  loading: "Loading settings",
  tryAgain: "Try again",
  onThisPage: "On this page",
  toSite: "Open site settings",
  save: "Save",
  fix: "Fix Errors to Save",
  discard: "Discard changes",
  bar: "Unsaved changes",
  unchanged: "No unsaved changes",
  nothingToSave: "Nothing to save",
  setUpFactor: "Set up two-factor authentication",
  changed: (amount: number) => counted(amount, "field changed", "fields changed"),
  wrong: (amount: number) => counted(amount, "field to fix", "fields to fix"),
  leaveText: (amount: number) =>
    `${counted(amount, "change has", "changes have")} not been saved and will be lost.`,
} as const;

/** The sections in their order: anchor and name. */
export const sections = [
  { id: "redis", name: "Redis Configuration" },
  { id: "storage", name: "Object Storage (R2)" },
  { id: "rate-limiting", name: "Core Rate Limiting" },
  { id: "security", name: "Core Security Settings" },
  { id: "accounts", name: "Accounts" },
  { id: "site", name: "Site" },
  { id: "providers", name: "Sign-in providers" },
  { id: "mail", name: "Email" },
  { id: "history", name: "History" },
] as const;

/** Words of the fields. */
export const fieldsTexts = {
  endpointHint: (others: readonly string[]) =>
    `Bucket, endpoint and both keys are required. ${
      others.length === 0
        ? "Servers other than R2 must be listed in S3_ENDPOINTS."
        : `Servers other than R2 listed in S3_ENDPOINTS: ${others.join(", ")}`
    }`,
  secretSaved: "Leave empty to keep it",
  secretRemoved: "Will be removed when you save",
  remove: "Remove",
  keep: "Keep",
  show: "Show",
  hide: "Hide",
  pick: (label: string) => `Pick: ${label}`,
  samples: { light: "Light theme", dark: "Dark theme" },
} as const;

/** Words about how the external services are doing. */
export const serviceTexts = {
  redisLead: "Cache, shared rate limits and events between servers.",
  storageLead: "Stores plugin packages, exports and backups.",
  states: { unused: "Not configured", connecting: "Connecting", up: "Up", away: "Away" },
  unknown: "Unknown",
  unknownText: "The server status could not be loaded.",
  since: (moment: string) => `since ${moment}`,
  fromEnvironment: "set by REDIS_URL",
  redisUnused: "Everything is kept in memory.",
  redisAway: "Everything is kept in memory in the meantime.",
  storageUnused: "Objects are stored in the database.",
  storageAway: "New objects are stored in the database in the meantime.",
  objects: (inDatabase: number, inR2: number) =>
    `${counted(inDatabase, "object", "objects")} in the database, ${counted(inR2, "object", "objects")} in object storage`,
  homes: { database: "Moving objects to the database", r2: "Moving objects to object storage" },
  moved: (moved: number, total: number, bytes: string) => `${moved} of ${total} moved, ${bytes}`,
  failed: (amount: number) => `${counted(amount, "object", "objects")} could not be moved yet`,
} as const;

/** Words about limits and switches. */
export const coreTexts = {
  limitLead: "How many requests each client may send to the API.",
  stores: {
    memory: "Requests are counted in memory, per process.",
    redis: "Requests are counted in Redis, across all servers.",
  },
  notCounted: "Requests are not counted.",
  securityLead: "How the server treats incoming requests.",
  direct: (ip: string) => `We see you as ${ip}, connected directly.`,
  proxied: (ip: string, peer: string) => `We see you as ${ip}, through the proxy at ${peer}.`,
  believed: (proxies: readonly string[]) =>
    proxies.length === 0
      ? "No proxies are trusted."
      : `Trusted proxies (TRUSTED_PROXIES): ${proxies.join(", ")}.`,
  trustOn: "Client IP addresses are taken from trusted proxies.",
  trustOff: "Forwarded IP addresses are ignored. The connecting machine is treated as the client.",
  helmetOn:
    "Responses include headers that keep browsers from framing, sniffing and running third-party code.",
  helmetOff:
    "Responses keep only the headers that prevent sniffing, framing and plugin frames leaving this site.",
  corsOn: "Only origins listed in CORS_ORIGINS can send requests with credentials.",
  corsUnlisted: "No other origins are listed (CORS_ORIGINS).",
  corsListed: (origins: string) => `Only ${origins} can send requests with credentials (CORS_ORIGINS).`,
  corsCounted: (amount: number) =>
    `Only the ${amount} listed origins can send requests with credentials (CORS_ORIGINS).`,
  corsOff: "No other origin can read responses.",
  afterSaving: (sentence: string) => `After saving: ${sentence}`,
  forced: "Forced on by the firewall.",
  locked: "Locked while the firewall manages core settings.",
  proxyWarning: "Check your proxy",
} as const;

/** Words about the firewall. */
export const firewallTexts = {
  title: "Firewall",
  refresh: "Refresh Firewall Status",
  states: {
    absent: {
      badge: "Not installed",
      text: "Without the firewall plugin, the core settings below apply.",
    },
    disabled: {
      badge: "Disabled",
      text: "The firewall is not active. The core settings below apply.",
    },
    masterOff: {
      badge: "Master switch off",
      text: "The firewall is enabled but its master switch is off. The core settings below apply.",
    },
    limitingOff: {
      badge: "Rate limiting off",
      text: "Core settings are managed by the firewall. Its rate limiting is off, so the limit saved below still applies.",
    },
    on: {
      badge: "On",
      text: "Core settings are managed by the firewall, which limits requests by its own rules.",
    },
  },
  unreachable: "Its status could not be loaded, so it is treated as disabled.",
  development: "Development mode is on: it only logs what it would block.",
} as const;

/** Words of the tests. */
export const testTexts = {
  redis: { button: "Test Redis Connection", subject: "the Redis connection" },
  r2: { button: "Test R2 Connection", subject: "the R2 connection" },
  "rate-limit": { button: "Test Rate Limiting", subject: "rate limiting" },
  mail: { button: "Send test email", subject: "email" },
  provider: { button: "Test provider", subject: "the sign-in provider" },
  dialogFailed: "The result could not be shown. Please try again.",
  needed: "Complete the fields above to test them.",
  again: "Test again",
  copy: "Copy as text",
  close: "Close",
  steps: "Steps",
  statuses: { passed: "Passed", warning: "Warning", failed: "Failed", skipped: "Skipped" },
} as const;

/** Leads of the sections whose contents come later. */
export const leads = {
  accounts: "How users get an account. The firewall never manages this.",
  site: "What this site is called, how it looks and who runs it has a page of its own.",
  mail: "How this server sends email, and the status of each email.",
  history: "Who changed what, newest first. Secrets are never recorded here.",
} as const;

const countedProviders = (users: number): string => `${users} ${users === 1 ? "user" : "users"}`;

/** Words about sign-in providers. */
export const providersTexts = {
  lead: "OpenID Connect providers with which users can sign in, besides their password.",
  loading: "Loading sign-in providers",
  loadFailed: "The sign-in providers could not be loaded",
  none: "No sign-in providers",
  noneText:
    "Let users sign in with the accounts that they have elsewhere, such as Google Workspace, Microsoft Entra, Okta or Keycloak.",
  list: "Sign-in providers",
  add: "Add provider",
  edit: (label: string) => `Edit ${label}`,
  view: (label: string) => `View ${label}`,
  editShort: "Edit",
  viewShort: "View",
  states: {
    on: "In use",
    off: "Off",
    overruled: "Overruled",
    unreadable: "Secret missing",
  } satisfies Record<ProviderState, string>,
  stateTexts: {
    on: null,
    off: "No one can sign in with it.",
    overruled: "The environment has a provider of this name or issuer, which is used instead.",
    unreadable: "The stored client secret can't be read. Enter it again.",
  } satisfies Record<ProviderState, string | null>,
  locked: (variables: string) => `Configured by ${variables}; it can only be changed there.`,
  users: (users: number) => (users === 0 ? "No linked users" : `${countedProviders(users)} linked`),
  elsewhere: (users: number) =>
    `${countedProviders(users)} linked it at another issuer or under another name and can't sign in with it until they unlink that and link it again.`,
} as const;
