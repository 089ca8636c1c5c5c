import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import type { Permission, PluginSignature, PluginState } from "#contract/plugins.ts";
import { bytes, instant } from "./parts.ts";

/** A JSON document byte for byte as it was written: `jsonb` would sort its keys. */
const jsonText = customType<{ data: string; driverData: string }>({ dataType: () => "text" });

/**
 * What admins want of each plugin. A row outlives its plugin while data of it is kept: then `removedAt` is set. What is
 * kept for a publisher whose place another one took has a row of its own, see `retainedName`. Who publishes a plugin
 * follows from `isBundled` and `publisherKeyId`. `generation` rises with every change of what servers have to do.
 */
export const plugins = pgTable("plugins", {
  name: text("name").primaryKey(),
  version: text("version").notNull(),
  isEnabled: boolean("is_enabled").notNull().default(false),
  isBundled: boolean("is_bundled").notNull().default(false),
  generation: bigint("generation", { mode: "number" }).notNull(),
  /** What was granted, with hosts and names. */
  granted: jsonb("granted").$type<Permission[]>().notNull().default([]),
  /** The bytes that an unsigned or foreign package was agreed to with; `null` where no agreement was needed. */
  consentedSha256: text("consented_sha256"),
  /** The key of its publisher; `null` for an unsigned plugin. */
  publisherKeyId: text("publisher_key_id"),
  /** Under which name its values, secrets and files are stored; `null`: its own. Another publisher's are never under it. */
  dataKey: text("data_key"),
  /** A stored version that waits for consent or could not start. */
  pendingVersion: text("pending_version"),
  pendingError: text("pending_error"),
  /** Why every server stopped it, until it is enabled again. */
  quarantineReason: text("quarantine_reason"),
  /** The version whose data is stored: what `migrate` starts from. */
  migratedVersion: text("migrated_version"),
  /** What admins set, without secrets. */
  settings: jsonb("settings").$type<Record<string, unknown>>().notNull().default({}),
  /** Not a reference: what was installed outlives the account. */
  installedBy: text("installed_by"),
  installedAt: instant("installed_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  removedAt: instant("removed_at"),
});

/** The kept versions of each plugin; the package is in the object store. */
export const pluginVersions = pgTable(
  "plugin_versions",
  {
    plugin: text("plugin").notNull(),
    version: text("version").notNull(),
    /** SHA-256 of the package, in hexadecimal digits. */
    sha256: text("sha256").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Key of the package in the object store; `null` for a version that is part of the executable. */
    objectKey: text("object_key"),
    manifest: jsonText("manifest").notNull(),
    /** As it was when the package was stored, or installed since; each start verifies again. */
    signature: jsonb("signature").$type<PluginSignature>().notNull(),
    uploadedBy: text("uploaded_by"),
    uploadedAt: instant("uploaded_at").notNull(),
    /** When it was last installed; orders the versions to roll back to. */
    activatedAt: instant("activated_at"),
  },
  (table) => [primaryKey({ columns: [table.plugin, table.version] })],
);

/** Publishers' keys that admins trust. */
export const pluginKeys = pgTable("plugin_keys", {
  /** SHA-256 of the raw key, in hexadecimal digits. */
  keyId: text("key_id").primaryKey(),
  /** The raw ed25519 key in base64. */
  publicKey: text("public_key").notNull(),
  label: text("label").notNull(),
  tier: text("tier", { enum: ["verified", "native"] }).notNull(),
  names: jsonb("names").$type<string[]>().notNull(),
  notBefore: instant("not_before"),
  notAfter: instant("not_after"),
  revokedAt: instant("revoked_at"),
  addedBy: text("added_by"),
  createdAt: instant("created_at").notNull(),
});

/** Values that plugins keep; `plugin` is the plugin's data key. `value` is JSON as text; `version` counts its changes. */
export const pluginKv = pgTable(
  "plugin_kv",
  {
    plugin: text("plugin").notNull(),
    key: text("key").notNull(),
    value: text("value").notNull(),
    version: bigint("version", { mode: "number" }).notNull(),
    expiresAt: instant("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.plugin, table.key] }),
    index("plugin_kv_expiry").on(table.expiresAt),
  ],
);

/** Secret settings of plugins, sealed for exactly this row. `id` is the data key (`plugin`), a slash and the field's name. */
export const pluginSecrets = pgTable("plugin_secrets", {
  id: text("id").primaryKey(),
  plugin: text("plugin").notNull(),
  sealed: bytes("sealed").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** The state of each plugin on each running server; rows of stopped servers are removed. */
export const pluginReplicas = pgTable(
  "plugin_replicas",
  {
    plugin: text("plugin").notNull(),
    replica: text("replica").notNull(),
    state: text("state").$type<PluginState>().notNull(),
    version: text("version").notNull(),
    generation: bigint("generation", { mode: "number" }).notNull(),
    error: text("error"),
    isolation: text("isolation").$type<"native" | "process" | "process+seccomp">(),
    memoryBytes: bigint("memory_bytes", { mode: "number" }),
    startedAt: instant("started_at"),
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.plugin, table.replica] })],
);

/** Scheduled jobs of plugins: the server that holds the lease runs one. */
export const pluginJobs = pgTable(
  "plugin_jobs",
  {
    plugin: text("plugin").notNull(),
    job: text("job").notNull(),
    everyMs: bigint("every_ms", { mode: "number" }).notNull(),
    nextRunAt: instant("next_run_at").notNull(),
    leasedUntil: instant("leased_until"),
    leasedBy: text("leased_by"),
    lastRunAt: instant("last_run_at"),
    lastError: text("last_error"),
  },
  (table) => [primaryKey({ columns: [table.plugin, table.job] })],
);

/**
 * Requests within their windows that several servers count together, by hidden keys; not logged, and empty after a crash of the
 * database. `moments` (milliseconds since 1970, rounded up to `grain`) and `counts` belong together; the rest is about the
 * newest statement: so many were `wanted` under that rule, so many `granted`.
 */
export const rateCounts = pgTable(
  "rate_counts",
  {
    key: text("key").primaryKey(),
    moments: doublePrecision("moments").array().notNull(),
    counts: integer("counts").array().notNull(),
    granted: integer("granted").notNull(),
    wanted: integer("wanted").notNull(),
    max: integer("max").notNull(),
    windowMs: bigint("window_ms", { mode: "number" }).notNull(),
    grain: bigint("grain", { mode: "number" }).notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("rate_counts_expiry").on(table.expiresAt)],
);

/** How often each permission was used and refused. */
export const pluginUses = pgTable(
  "plugin_uses",
  {
    plugin: text("plugin").notNull(),
    permission: text("permission").notNull(),
    used: bigint("used", { mode: "number" }).notNull(),
    refused: bigint("refused", { mode: "number" }).notNull(),
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [primaryKey({ columns: [table.plugin, table.permission] })],
);

/** Rules for requests, as plugins set them last. */
export const pluginRules = pgTable("plugin_rules", {
  plugin: text("plugin").primaryKey(),
  rules: jsonb("rules").$type<unknown[]>().notNull(),
  generation: bigint("generation", { mode: "number" }).notNull(),
  updatedAt: instant("updated_at").notNull(),
});
