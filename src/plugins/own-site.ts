import type { SiteIdentity } from "#contract/program-site.ts";

/**
 * What your product is called and how it looks until an admin sets something else, such as `{ name: "Northwind" }`. No version of
 * Atrium changes this file.
 */
export const ownSite: Partial<SiteIdentity> = {};
