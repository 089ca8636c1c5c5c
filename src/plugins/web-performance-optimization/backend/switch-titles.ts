import type { SwitchName } from "./wire.ts";

/** What the switches are called, in the activity log and on the page. */
export const switchTitles: Record<SwitchName, string> = {
  compression: "Compression of dynamic answers",
  cacheLifetimes: "Cache lifetimes",
  preloadHeaders: "Preload headers",
  prefetch: "Prefetching of next pages",
  responseCache: "Response cache",
};
