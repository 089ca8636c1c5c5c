import type { Static, TSchema } from "@sinclair/typebox";
import type { Kit } from "#api/modules/kit.ts";
import type { details, granted, replica, retained, version } from "#api/modules/plugins/contract/about.ts";
import type { logLine } from "#api/modules/plugins/contract/holding.ts";
import type { key } from "#api/modules/plugins/contract/keys.ts";
import type {
  packagePreview,
  panel,
  plugin,
  pluginData,
  publicPlugin,
  publisherChanged,
  signature,
} from "#api/modules/plugins/contract/parts.ts";

export {
  type Permission,
  type PermissionName,
  type PluginState,
  type PluginTier,
  type PluginType,
  permissionNames,
  pluginStates,
  pluginTypes,
  type SignatureState,
  signatureStates,
} from "./plugin-names.ts";

/** What a part of the plugins' contract describes. */
type Described<Part extends (kit: Kit) => TSchema> = Static<ReturnType<Part>>;

/** A granted permission, and how often it was used and a use refused since. */
export type PermissionUse = Described<typeof granted>;

/** A package's signature as admins see it. */
export type PluginSignature = Described<typeof signature>;

/**
 * That a package would give a plugin another publisher: each is `bundled`, the id of a key or `unsigned`, and what people
 * call it.
 */
export type PublisherChange = NonNullable<Described<typeof publisherChanged>>;

/** What is shown of a plugin in the admin area: the manifest's, with what the running plugin says over it. */
export type PluginPanel = Described<typeof panel>;

/** A plugin's row in a list. */
export type Plugin = Described<typeof plugin>;

/** Where browsers find a plugin's own page. */
export type PluginFrontend = NonNullable<Plugin["frontend"]>;

/** What everyone may know of an enabled plugin. */
export type PublicPlugin = Described<typeof publicPlugin>;

/** One version that is kept. */
export type PluginVersion = Described<typeof version>;

/** How a plugin stands on one of the running servers. */
export type PluginReplica = Described<typeof replica>;

/** A plugin with everything that its page shows. */
export type PluginDetails = Described<typeof details>;

/** A permission that was asked for without being granted, and how often. */
export type RefusedUse = PluginDetails["refused"][number];

/** How much a plugin has stored: what would be deleted with it. */
export type PluginData = Described<typeof pluginData>;

/** What is kept of another publisher's plugin of the same name, until that publisher's plugin is back. */
export type RetainedData = Described<typeof retained>;

/** A line of a plugin's log. */
export type PluginLogLine = Described<typeof logLine>;

/** What is in a package, told before anything of it is stored. */
export type PackagePreview = Described<typeof packagePreview>;

/** A publisher's key that admins or the operator trust. `environment` keys can be changed by the operator alone. */
export type TrustedKey = Described<typeof key>;

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
