import type { ShippedPlugin } from "#api/plugin-host/shipped-packages.ts";

/** The plugins that are part of the executable. */
export const firstPartyPlugins: readonly ShippedPlugin[] = [];
