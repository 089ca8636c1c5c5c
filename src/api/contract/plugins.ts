import type { PluginCommands } from "./plugin-commands.ts";
import type { Permission, PermissionName } from "./plugin-names.ts";

export { type Permission, type PermissionName, permissionNames } from "./plugin-names.ts";

/** What a plugin can be. */
export const pluginTypes = ["Security", "Essential", "Performance", "Development", "Other"] as const;
export type PluginType = (typeof pluginTypes)[number];

/** A granted permission, and how often it was used and a use refused since. */
export type PermissionUse = Permission & { used: number; refused: number; lastUsedAt: string | null };

/** A permission that was asked for without being granted, and how often. */
export type RefusedUse = { name: PermissionName; refused: number };

/** How a plugin is trusted. */
export const pluginTiers = ["bundled", "native", "verified", "unsigned"] as const;
export type PluginTier = (typeof pluginTiers)[number];

/** What is known of a package's origin. `modified`: files differ from what was signed; `invalid`: signed, and the signature is wrong. */
export const signatureStates = ["bundled", "signed", "unsigned", "modified", "invalid", "revoked"] as const;
export type SignatureState = (typeof signatureStates)[number];

/** A package's signature as admins see it. */
export type PluginSignature = {
  state: SignatureState;
  /** SHA-256 of the raw public key in hexadecimal digits; `null` unless that key's signature was verified. */
  keyId: string | null;
  /** The key that a signature names which nobody verified: anybody can name any. Absent where there is none. */
  claimedKeyId?: string;
  /** The key's label in the trust store. */
  publisher: string | null;
  signedAt: string | null;
};

/**
 * That a package would give a plugin another publisher: each is `bundled`, the id of a key or `unsigned`, and what people
 * call it.
 */
export type PublisherChange = { from: string; to: string; fromName: string; toName: string };

/** How a plugin stands on a running server. */
export const pluginStates = [
  "disabled",
  "starting",
  "running",
  "reloading",
  "stopping",
  "failed",
  "quarantined",
] as const;
export type PluginState = (typeof pluginStates)[number];

/** What is shown of a plugin in the admin area: the manifest's, with what the running plugin says over it. */
export type PluginPanel = {
  enabled: boolean;
  menuItem?: { title: string; description: string; icon: string; path: string };
  card?: {
    title: string;
    description: string;
    icon: string;
    color: string;
    buttonText: string;
    path: string;
  };
};

/** Where browsers find a plugin's own page. `native`: it runs in the host's window, as what is trusted with that does. */
export type PluginFrontend = {
  mode: "iframe" | "native";
  /** Address of its script. */
  script: string;
  /** Address of its stylesheet. */
  css: string | null;
  /** Whether it wants to be over every page of the admin area. */
  overlay: boolean;
};

/** A plugin's row in a list. */
export type Plugin = {
  name: string;
  title: string;
  description: string;
  version: string;
  type: PluginType;
  enabled: boolean;
  core: boolean;
  dependsOn: string[];
  backendExists: boolean;
  frontendExists: boolean;
  tier: PluginTier;
  signature: PluginSignature;
  state: PluginState;
  /** Why it failed or was quarantined, in a sentence. */
  error: string | null;
  /** A version that waits for consent or could not start. */
  pendingVersion: string | null;
  adminPanel: PluginPanel | null;
  frontend: PluginFrontend | null;
  /** The first word of its terminal commands; `null` when it has none. */
  commandWord: string | null;
};

/** What everybody may know of an enabled plugin. */
export type PublicPlugin = Pick<Plugin, "name" | "description" | "type" | "enabled" | "frontendExists">;

/** One version that is kept. */
export type PluginVersion = {
  version: string;
  sizeBytes: number;
  /** SHA-256 of the package in hexadecimal digits. */
  sha256: string;
  signature: PluginSignature;
  /** Set when it is another publisher's than the version in force. */
  publisherChanged: PublisherChange | null;
  /** What it asks for. */
  permissions: Permission[];
  uploadedAt: string;
  uploadedBy: string | null;
  isCurrent: boolean;
};

/** How a plugin stands on one of the running servers. */
export type PluginReplica = {
  replica: string;
  state: PluginState;
  version: string;
  error: string | null;
  isolation: "native" | "process" | "process+seccomp" | null;
  memoryBytes: number | null;
  startedAt: string | null;
  seenAt: string;
};

/** A plugin with everything that its page shows. */
export type PluginDetails = Plugin & {
  author: string | null;
  homepage: string | null;
  license: string | null;
  runtime: "sandbox" | "native" | null;
  frontendMode: "iframe" | "native" | null;
  /** What the current version asks for. */
  requested: Permission[];
  granted: PermissionUse[];
  /** What it tried without having been granted it. */
  refused: RefusedUse[];
  /** What a waiting version asks for beyond that; another publisher's, beyond what is kept for that one. */
  pendingPermissions: Permission[];
  /** Set when the waiting version is another publisher's. */
  publisherChanged: PublisherChange | null;
  limits: { memoryMB: number; cpuMs: number; wallMs: number };
  dependencies: Record<string, string>;
  dependents: string[];
  versions: PluginVersion[];
  replicas: PluginReplica[];
  routes: { method: string; path: string; access: string; summary: string | null }[];
  jobs: { name: string; everyMs: number; lastRunAt: string | null; lastError: string | null }[];
  hasSettings: boolean;
  commands: PluginCommands | null;
  data: PluginData;
  retained: RetainedData[];
  installedAt: string;
  installedBy: string | null;
  updatedAt: string;
};

/** How much a plugin has stored: what would be deleted with it. `usedBytes` of entries and files count against its quota. */
export type PluginData = Record<
  "keys" | "files" | "fileBytes" | "secrets" | "settings" | "usedBytes" | "quotaBytes",
  number
>;

/** What is kept of another publisher's plugin of the same name, until that publisher's plugin is back. */
export type RetainedData = {
  publisher: string;
  publisherName: string;
  /** The version that was in force. */
  version: string;
  retainedAt: string;
  data: PluginData;
};

/** A line of a plugin's log. */
export type PluginLogLine = {
  /** Counts up from 1 on each replica. */
  id: number;
  at: string;
  level: "debug" | "info" | "warn" | "error";
  message: string;
  replica: string;
};

/** What is in a package, told before anything of it is stored. */
export type PackagePreview = {
  name: string;
  title: string;
  version: string;
  description: string;
  type: PluginType;
  author: string | null;
  sizeBytes: number;
  files: number;
  signature: PluginSignature;
  tier: PluginTier;
  permissions: Permission[];
  /** Those that the installed version was not granted. */
  newPermissions: Permission[];
  dependencies: { name: string; range: string; state: "enabled" | "disabled" | "missing" | "outdated" }[];
  /** Set when it is another publisher's than the installed plugin. */
  publisherChanged: PublisherChange | null;
  /** The installed version; `null` for a new plugin. */
  installedVersion: string | null;
  /** Why it could not be installed as it is; empty when it can. */
  obstacles: string[];
  /** Whether it is not newer than what is or was installed, so that it is taken only with `allowDowngrade`. */
  needsDowngrade: boolean;
  hasRetainedData: boolean;
};

/** A publisher's key that admins or the operator trust. */
export type TrustedKey = {
  keyId: string;
  /** The raw key in base64. */
  publicKey: string;
  label: string;
  tier: "verified" | "native";
  /** Names of plugins it may sign; `*` stands for any text. */
  names: string[];
  notBefore: string | null;
  notAfter: string | null;
  revokedAt: string | null;
  /** `environment` keys can be changed by the operator alone. */
  source: "store" | "environment";
  addedBy: string | null;
  createdAt: string | null;
};

/** How long a version's history is. */
export const keptVersions = 3;

/** How large a package may be. By itself, so that a browser need not have all bounds to know this one. */
export const packageBytes = 20_000_000;

/** Bounds of what a plugin is and does; a manifest can only lower the first three. */
export const pluginLimits = {
  memoryMB: 48,
  cpuMs: 200,
  wallMs: 10_000,
  setupMs: 5_000,
  teardownMs: 2_000,
  packageBytes,
  unpackedBytes: 60_000_000,
  fileBytes: 20_000_000,
  files: 2_000,
  ratio: 200,
  depth: 10,
  pathLength: 200,
  bodyBytes: 1_000_000,
  callsAtOnce: 32,
  // Of one address: others have the rest.
  callsAtOnceOfOne: 16,
  heartbeatMs: 250,
  heartbeatMissedMs: 1_000,
  processBytes: 160 * 1024 * 1024,
  logLinesAMinute: 100,
  logLineLength: 4_096,
  logLinesKept: 1_000,
  failuresWindowMs: 60_000,
  // The next one in that time pauses the route that was called, or else quarantines.
  failuresAllowed: 3,
  routePauseMs: 1_000,
  routePauseMostMs: 60_000,
  refusalsWindowMs: 60_000,
  refusalsAllowed: 10,
  hostCallsAtOnce: 100,
  hostCallsASecond: 1_000,
  // Of one plugin on one server at the database at the same time: others wait for it too.
  databaseCallsAtOnce: 4,
  activitiesAMinute: 100,
  healthMs: 30_000,
  healthFailures: 3,
  kvKeys: 10_000,
  kvValueBytes: 64 * 1024,
  kvKeyLength: 200,
  pluginFiles: 1_000,
  pluginFileBytes: 1_000_000,
  fetchesAtOnce: 4,
  fetchBodyBytes: 1_000_000,
  fetchAnswerBytes: 5_000_000,
  fetchMs: 10_000,
  fetchRedirects: 5,
  mailsAnHour: 100,
  jobs: 50,
  jobEveryMs: 1_000,
  routes: 200,
  listeners: 50,
  rules: 100,
  ruleEntries: 1_000,
  ruleEntriesInAll: 5_000,
  ruleTextInAll: 50_000,
  ruleChangesAMinute: 10,
} as const;
