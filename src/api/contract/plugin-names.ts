/** Names that no plugin may have: what `/api` and the admin area use themselves. A test holds it to the routes. */
export const reservedPluginNames = [
  "account",
  "activity",
  "admin",
  "api",
  "atrium",
  "auth",
  "backup",
  "constructor",
  "contact",
  "core",
  "csp",
  "docs",
  "health",
  "inspect",
  "keys",
  "mail",
  "mcp",
  "metrics",
  "openapi",
  "plan",
  "plugin-host",
  "plugins",
  "ready",
  "schema",
  "sdk",
  "secrets",
  "settings",
  "setup",
  "site-scripts",
  "static",
  "status",
  "storage",
  "swagger",
  "system",
  "tokens",
  "upload",
  "users",
  // Names of devices: on some systems no folder can have one, and what is written there goes nowhere.
  ...["aux", "con", "nul", "prn"],
  ...["com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9"],
  ...["lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"],
] as const;

/** The plugins that are part of the executable. A test holds it to their manifests. */
export const shippedPluginNames: readonly string[] = [
  "licensing",
  "firewall",
  "web-performance-optimization",
  "plugin-template",
];

/** What a plugin's name looks like; it is its id and the name of its folder. */
export const pluginNamePattern = /^[a-z][a-z0-9-]{1,39}$/;

/** Whether a text can be a plugin's name. */
export const isPluginName = (text: string): boolean =>
  pluginNamePattern.test(text) && !reservedPluginNames.some((name) => name === text);

/** What a plugin can ask for, in the order in which admins are asked. */
export const permissionNames = [
  "routes",
  "routes.user",
  "routes.public",
  "storage.kv",
  "storage.files.read",
  "storage.files.write",
  "net.fetch",
  "settings.write",
  "secrets.read",
  "activity.write",
  "events",
  "schedule",
  "users.read",
  "mail.send",
  "mail.send:anyone",
  "request.rules",
  "plugins.call",
  "ui.page",
  "ui.overlay",
  "ui.site",
  "ui.native",
  "native",
] as const;
export type PermissionName = (typeof permissionNames)[number];

/** One permission as it is asked for or granted. `hosts` belong to `net.fetch`, `plugins` to `plugins.call`. */
export type Permission = { name: PermissionName; hosts?: string[]; plugins?: string[]; reason?: string };

/** What a plugin can be. */
export const pluginTypes = ["Security", "Essential", "Performance", "Development", "Other"] as const;
export type PluginType = (typeof pluginTypes)[number];

/** How a plugin is trusted. */
export const pluginTiers = ["bundled", "native", "verified", "unsigned"] as const;
export type PluginTier = (typeof pluginTiers)[number];

/** What is known of a package's origin. `modified`: files differ from what was signed; `invalid`: signed, and the signature is wrong. */
export const signatureStates = ["bundled", "signed", "unsigned", "modified", "invalid", "revoked"] as const;
export type SignatureState = (typeof signatureStates)[number];

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
