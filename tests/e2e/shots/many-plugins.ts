import type {
  PackagePreview,
  Plugin,
  PluginDetails,
  PluginSignature,
  PluginVersion,
  TrustedKey,
} from "#contract/plugins.ts";

const keyId = "9f2c5e0b7a41d3c86e1f00b2a4c6d8e0f1a3b5c7d9e1f3a5b7c9d1e3f5a7b9c1";
const signedAt = "2026-10-28T09:00:00.000Z";

const origins = {
  bundled: { state: "bundled", keyId: null, publisher: null, signedAt: null },
  signed: { state: "signed", keyId, publisher: "Northwind Tools", signedAt },
  unsigned: { state: "unsigned", keyId: null, publisher: null, signedAt: null },
} as const satisfies Record<string, PluginSignature>;

/** A plugin as it is listed: disabled, signed, and with nothing wrong, unless told otherwise. */
export const plugin = (change: Partial<Plugin> & Pick<Plugin, "name" | "title">): Plugin => ({
  description: "Keeps a note beside each visitor.",
  version: "1.2.3",
  type: "Other",
  enabled: false,
  core: false,
  dependsOn: [],
  backendExists: true,
  frontendExists: true,
  tier: "verified",
  signature: origins.signed,
  state: "disabled",
  error: null,
  pendingVersion: null,
  adminPanel: null,
  frontend: null,
  commandWord: null,
  ...change,
});

const bundled = { tier: "bundled", signature: origins.bundled, version: "1.0.0" } as const;
const running = { enabled: true, state: "running" } as const;

/** Plugins in every state that the list can show. */
export const manyPlugins: Plugin[] = [
  plugin({
    ...{ ...bundled, ...running, name: "licensing", title: "Licensing", type: "Essential", core: true },
    description: "Says whose installation this is and until when.",
  }),
  plugin({
    ...{ ...bundled, name: "firewall", title: "Firewall", type: "Security", dependsOn: ["licensing"] },
    description: "Blocks addresses, countries and patterns of attack before anything else sees them.",
  }),
  plugin({ ...running, name: "visitor-notes", title: "Visitor notes", dependsOn: ["licensing"] }),
  plugin({
    ...{ name: "weather", title: "Weather on every page", tier: "unsigned", signature: origins.unsigned },
    ...{ ...running, backendExists: false, pendingVersion: "2.0.0" },
  }),
  plugin({
    ...{ name: "nightly-report", title: "Nightly report", frontendExists: false, state: "quarantined" },
    error: "It failed four times in a minute: TypeError: report.rows is not iterable",
  }),
  plugin({ name: "reloading", title: "Shop", type: "Performance", enabled: true, state: "reloading" }),
  plugin({ name: "left-over", title: "Left over", backendExists: false, frontendExists: false }),
];

/** What a plugin asks for in pictures and tests. */
export const askedPermissions: PackagePreview["permissions"] = [
  { name: "routes" },
  { name: "storage.kv", reason: "keeps the notes" },
  { name: "net.fetch", hosts: ["api.example.com", "*.weather.example"], reason: "looks up the weather" },
  { name: "schedule" },
];

/** What is in a package of a new plugin that asks for something. */
export const packagePreview = (change: Partial<PackagePreview> = {}): PackagePreview => ({
  name: "weather-report",
  title: "Weather report",
  version: "1.0.0",
  description: "Shows tomorrow's weather on the dashboard.",
  type: "Other",
  author: "Northwind Tools",
  sizeBytes: 1_240_000,
  files: 12,
  signature: origins.signed,
  tier: "verified",
  permissions: askedPermissions,
  newPermissions: askedPermissions,
  publisherChanged: null,
  dependencies: [{ name: "licensing", range: "^1.0.0", state: "enabled" }],
  installedVersion: null,
  obstacles: [],
  needsDowngrade: false,
  hasRetainedData: false,
  ...change,
});

/** Everything about a plugin of which a version waits for consent. */
export const pendingDetails = (listed: Plugin): PluginDetails => ({
  ...listed,
  ...{ author: null, homepage: null, license: null, runtime: "sandbox", frontendMode: "iframe" },
  ...{
    requested: [],
    granted: [],
    refused: [],
    pendingPermissions: askedPermissions.slice(2, 3),
    publisherChanged: null,
    dependencies: {},
  },
  ...{ limits: { memoryMB: 32, cpuMs: 200, wallMs: 10_000 }, dependents: [], replicas: [] },
  versions: listed.pendingVersion === null ? [] : [waitingVersion(listed, listed.pendingVersion)],
  ...{
    routes: [],
    jobs: [],
    hasSettings: false,
    commands: null,
    retained: [],
    installedAt: signedAt,
    installedBy: null,
    updatedAt: signedAt,
  },
  data: { keys: 0, files: 0, fileBytes: 0, secrets: 0, settings: 0, usedBytes: 0, quotaBytes: 100_000_000 },
});

const waitingVersion = ({ signature }: Plugin, version: string): PluginVersion => ({
  ...{ version, isCurrent: false, sizeBytes: 1_240_000, sha256: "5e".repeat(32), signature },
  ...{ publisherChanged: null, permissions: askedPermissions, uploadedAt: signedAt, uploadedBy: null },
});

const trustedKey = (change: Partial<TrustedKey>): TrustedKey => ({
  keyId,
  publicKey: "MCowBQYDK2VwAyEA0123456789abcdefghijklmnopq=",
  label: "Northwind Tools",
  tier: "verified",
  names: ["*"],
  notBefore: null,
  notAfter: null,
  revokedAt: null,
  source: "store",
  addedBy: "ada@example.test",
  createdAt: signedAt,
  ...change,
});

/** Keys of every kind: an admin's, the operator's, and a revoked one. */
export const trustedKeys: TrustedKey[] = [
  trustedKey({
    ...{ keyId: keyId.replaceAll("9", "8"), label: "PLUGIN_TRUSTED_KEYS", source: "environment" },
    addedBy: null,
  }),
  trustedKey({}),
  trustedKey({
    ...{ keyId: keyId.replaceAll("9", "7"), label: "Maximiliane's Werkstatt", tier: "native" },
    ...{ names: ["shop-*", "weather"], notAfter: "2027-10-28T09:00:00.000Z", revokedAt: signedAt },
  }),
];
