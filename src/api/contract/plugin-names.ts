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
  "plugin-host",
  "plugins",
  "ready",
  "schema",
  "sdk",
  "secrets",
  "settings",
  "setup",
  "static",
  "status",
  "storage",
  "swagger",
  "system",
  "tokens",
  "upload",
  "users",
] as const;

/** What a plugin's name looks like; it is its id and the name of its folder. */
export const pluginNamePattern = /^[a-z][a-z0-9-]{1,39}$/;

/** Whether a text can be a plugin's name. */
export const isPluginName = (text: string): boolean =>
  pluginNamePattern.test(text) && !reservedPluginNames.some((name) => name === text);
