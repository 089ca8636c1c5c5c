/** One step of a connection test. */
export type TestStep = {
  name: string;
  status: "passed" | "warning" | "failed" | "skipped";
  /** What was seen, without secrets. */
  message: string;
  /** What to do about it. */
  remedy?: string;
  durationMs?: number;
};

/** What a connection test found. */
export type TestResult = {
  title: string;
  message: string;
  severity: "success" | "warning" | "error";
  /** One or two sentences more; empty when there is nothing to add. */
  details: string;
  testResults: TestStep[];
};

/** What the firewall says of itself, whether or not it is there. */
export type FirewallStatus = {
  installed: boolean;
  enabled: boolean;
  masterSwitchEnabled: boolean;
  rateLimitingEnabled: boolean;
  developmentModeEnabled: boolean;
};

/** Whether the firewall decides about limits and switches, so that the core's own are locked. */
export const isManagedByFirewall = (firewall: FirewallStatus): boolean =>
  firewall.installed && firewall.enabled && firewall.masterSwitchEnabled;

/** How an external service is doing: not set up, or in use, or set up and away; `reason` says why it is away. */
export type ServiceState = {
  state: "unused" | "connecting" | "up" | "away";
  /** Host and port, or origin; `null` when it is not set up. */
  server: string | null;
  /** Who set it up. */
  source: "settings" | "environment" | null;
  since: string;
  reason: string | null;
};

/** Objects on their way from one home to the other; counts are objects, `bytes` their sizes. */
export type MigrationProgress = { moved: number; total: number; bytes: number; failed: number };

/** Where objects (packages, exports, backups) live, and how many lie where. */
export type StorageState = ServiceState & {
  home: "database" | "r2";
  inDatabase: number;
  inR2: number;
  /** `null` when all objects are at home. */
  migration: MigrationProgress | null;
};

/** What the server sees of whoever asks, and whether it seems to be right. */
export type VisitorView = {
  /** The address that counts for rate limits, lists and logs. */
  ip: string;
  /** The address at the other end of the connection. */
  peer: string;
  isBehindTrustedProxy: boolean;
  /** Addresses and ranges of the proxies whose word about clients counts; empty while Trust Proxy is off. */
  trustedProxies: string[];
  /** What is probably wrong with the proxy settings, for a person; `null` when nothing seems to be. */
  warning: string | null;
  /** For the operator, who comes by another way: the address that the newest visitor counts under, if one came recently. */
  newestVisitor?: string | null;
};

/** The value of a setting that is no secret. */
export type SettingValue = string | number | boolean | null | string[];

/** One field of a change of settings; of secrets only that they were set, replaced or removed. */
export type ChangedField =
  | {
      path: string;
      isSecret: false;
      before: SettingValue;
      after: SettingValue;
    }
  | { path: string; isSecret: true; deed: "set" | "replaced" | "removed" };

/** The name of a feature's section in the history, and the beginning of its secrets' names. */
export const sectionOfFeature = (name: string): `features.${string}` => `features.${name}`;
export const isSectionOfFeature = (section: string): section is `features.${string}` =>
  section.startsWith("features.");

/** Sentences about settings that pages say as well as the server. */
export const pageSettingsTexts = {
  // Rules
  textExpected: "Please enter text",
  redisEndpointInvalid: "Invalid Redis URL format. Expected: redis[s]://[[user]:password@]host[:port][/db]",
  bucketLength: "Bucket name must be between 3 and 63 characters",
  bucketCharacters: "Bucket name can only contain lowercase letters, numbers, and hyphens",
  bucketEdges: "Bucket name cannot start or end with a hyphen",
  bucketHyphens: "Bucket name cannot contain consecutive hyphens",
  tokenShort: "API token appears too short",
  tokenCharacters: "API token contains invalid characters",
  accessKeyShort: "Access Key ID appears too short",
  accessKeyCharacters: "Access Key ID contains invalid characters",
  secretKeyShort: "Secret Access Key appears too short",
  secretKeyCharacters: "Secret Access Key contains invalid characters",
  s3EndpointInvalid:
    "Invalid S3 endpoint format. Expected: https://<32 hex characters>.r2.cloudflarestorage.com",
  passwordUnprintable: "Please leave out control and invisible characters",
  secretTooLong: "This is too long for a secret of this kind",
  addressRefused: "Connections to this address are not allowed",
  enterAgain: "Please enter this again: the endpoint has another host now",
  domainsWanted: "List at least one domain, or choose another answer to who may register",
  endpointFirst: "Please also enter the endpoint that this belongs to",

  // Loading and saving
  credentialsNotLoaded: "Failed to load credentials",
  coreNotLoaded: "Failed to load core settings",
  accountsNotLoaded: "Failed to load account settings",
  siteNotLoaded: "Failed to load site settings",
  notLoaded: "Error loading settings",
  servicesNotSaved: "Failed to save external services",
  coreNotSaved: "Failed to save core settings",
  accountsNotSaved: "Failed to save account settings",
  siteNotSaved: "Failed to save site settings",
  servicesError: (message: string) => `Error saving external services: ${message}`,
  accountsError: (message: string) => `Error saving account settings: ${message}`,
  siteError: (message: string) => `Error saving site settings: ${message}`,
  coreError: (message: string) => `Error saving core settings: ${message}`,
  unexpectedError: "Unexpected error saving settings",
  fixBeforeSaving: "Please fix validation errors before saving.",
  allSaved: "All settings saved successfully",
  servicesSaved: "External services saved successfully",
  accountsSaved: "Account settings saved successfully",
  siteSaved: "Site settings saved successfully",
  siteSavedWithLanding:
    "Site settings saved successfully. The home page still presents the program: for one of your own, set site.home to sections",
  featureSaved: "Settings saved successfully",
  featureGone: "These settings belong to a feature that this product no longer has",
  coreSaved: "Core settings saved successfully",
  servicesSavedOnly: "External services saved successfully. Core settings are managed by firewall.",
  managedByFirewall: "Core settings are managed by firewall",
  fixedByFile: "This is set by SITE_FILE on the server and can't be changed here",

  // Firewall
  firewallRefreshed: "Firewall status refreshed",
  firewallSeemsOff: "Firewall status refreshed (firewall appears to be disabled)",
  firewallError: (message: string) => `Error refreshing firewall status: ${message}`,
  redisFails: "Redis Connection Test Failed",
  r2Fails: "Cloudflare R2 Connection Test Failed",
  limiterFails: "Rate Limiting Test Failed",
  mailFails: "Email Test Failed",
  providerFails: "Sign-in Provider Test Failed",
  testUnreachable: (subject: string) => `A network error occurred while testing ${subject}`,
} as const;

/** Sentences about settings that server and forms share. */
export const settingsTexts = {
  ...pageSettingsTexts,
  secretUnreadable: "The stored value can't be read any more; please enter it again",
  secretLocked: "its stored secret can't be read; enter it again",

  servicesSavedAndEmptied:
    "External services saved successfully. The secrets of the emptied endpoint were deleted",

  // Proxies
  everybodyLooksTheSame: (
    peer: string,
    { isListed, trustProxy }: { isListed: boolean; trustProxy: boolean },
  ) => {
    const remedy = [
      ...(isListed ? [] : [`add ${peer} to TRUSTED_PROXIES if it is yours`]),
      ...(trustProxy ? [] : ["turn on Trust Proxy"]),
    ].join(" and ");
    return `All visitors appear to have the same address: check your proxy. Requests come through ${peer}, and the client addresses that it reports are ignored. To change that, ${remedy}.`;
  },

  // Connection tests
  redisWorks: "Redis Connection Test Successful",
  r2Works: "Cloudflare R2 Connection Test Successful",
  limiterWorks: "Rate Limiting Test Successful",
  mailWorks: "Email Test Successful",
  noRedisYet: "Redis is not configured: enter its endpoint first",
  noBucketYet: "Object storage is not configured: enter its bucket, endpoint and keys first",
  causeWithheld: "The connection failed. Sign in and run the test to see why",
  testRunning: "Your previous test is still running; please wait for its result",

  // What the operator sets
  noHomePage: (path: string) => `${path} is no public page of a feature in this build; choose another page`,

  // History
  unknownChange: "This change doesn't exist",
  nothingToRevert: "There is nothing to restore: the change was about secrets, which are never kept",
  changedSince: "This was changed again later; please revert the later change first",
  providersStay: "Changes of sign-in providers can't be reverted; please edit the provider instead",
  reverted: "The previous settings were restored",
  revertedWithoutSecrets:
    "The previous settings were restored; the secrets entered for the other server were deleted, please enter those of this one again",
  revertedAndEmptied: "The previous settings were restored; the secrets of the removed endpoint were deleted",
  changeIdInvalid: "Please give the id of a change",
} as const;

const verbs: { [action: string]: string } = { set: "set", replaced: "replace", removed: "remove" };
const valueText = (value: unknown): string => (value === null || value === "" ? "none" : String(value));

/**
 * What a dry run says about each field that the activity log names; of a secret, the log only has what was done with
 * it.
 */
export const changesOf = (section: string, { before, after }: { before: object; after: object }): string => {
  const values = Object.entries(before).map(
    ([path, value]) =>
      `change ${section}.${path} from ${valueText(value)} to ${valueText(Reflect.get(after, path))}`,
  );
  const sealed: unknown = Reflect.get(after, "sealed");
  const secrets = (Array.isArray(sealed) ? sealed.map(String) : []).map((told) => {
    const [path = "", action = ""] = told.split(" ");
    return `${verbs[action]} ${section}.${path}`;
  });
  return [...values, ...secrets].join(", ");
};
