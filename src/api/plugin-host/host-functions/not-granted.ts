import type { Permission, PermissionName } from "#contract/plugins.ts";

/** What to do about a permission that a plugin lacks: its author has to ask for it first, and an admin to grant it. */
export const howToGrant = (missing: PermissionName, asked: readonly Permission[]): string =>
  asked.some(({ name }) => name === missing)
    ? "grant it on the plugin's page"
    : "add it to permissions in plugin.json";
