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
