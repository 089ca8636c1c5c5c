import type { BundledPlugin } from "#api/core/plugins.ts";

/** The plugins that are part of the executable. */
export const firstPartyPlugins: readonly BundledPlugin[] = [];
