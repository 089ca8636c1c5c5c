import type { Metric, Rating, SwitchName } from "../backend/wire.ts";

/** The texts of the plugin's page. */
export const texts = {
  places: "Parts of this page",
  tabs: { visitors: "Visitors", switches: "Switches", cache: "Response cache" },
  loading: "Loading",
  failed: "Could not load the data",
  noPage: "Page not found",
  noPageText: "Check the URL.",
  toVisitors: "Page speed for visitors",
  withAdmin: "Include the admin area",
  span: "Time range",
  spans: { 1: "Last 24 hours", 7: "Last 7 days", 28: "Last 28 days", 90: "Last 90 days" },
  empty: "No visits measured yet",
  emptyText:
    "A visit is measured when the visitor leaves the page. Open the site in another window, go to another page, and come back here.",
  emptySpan: "No visits measured in this time range",
  emptySpanText:
    "A visit is measured when the visitor leaves or hides the page, unless the browser opts out of tracking. Choose a longer time range, or open the site in another window, leave it, and come back here.",
  measuringOff: "Measuring is turned off",
  measuringOffText:
    "The figures below are from before measuring was turned off. You can turn it on in the settings of this plugin.",
  p75: "75th percentile: three quarters of visits had this value or better",
  p75Note:
    "Estimated from a histogram, accurate to 4%. All figures belong to the page on which a visit began, which is how search engines count.",
  measured: (count: string) => `${count} measured`,
  notMeasured: "Not measured",
  visits: (count: string) => `${count} visits`,
  overTime: "Over time",
  dayAgo: "24 hours ago",
  now: "now",
  metric: "Metric",
  chartOf: (metric: string) => `${metric}, 75th percentile`,
  time: "Time",
  value: "Value",
  rating: "Rating",
  none: "–",
  pages: "Pages",
  page: "Page",
  visitsHead: "Visits",
  otherPages: "All other URLs",
  sortedBy: (name: string) => `Sort by ${name}`,
  switchesLead:
    "All switches are off by default. Their effect is measured in two ways: on this server, and for visitors before and after.",
  turnFailed: "The switch could not be changed",
  effectServer: "Measured on this server",
  effectVisitors: "Visitors before and after",
  address: "Path",
  bytes: "Bytes",
  milliseconds: "Milliseconds",
  off: "off",
  on: "on",
  noReport: "Not measured yet.",
  measure: "Measure now",
  measureTitle: "Effect of the switches",
  measureText:
    "The server requests some of its own pages and endpoints, first with each switch off, then on. Visitors aren't affected.",
  measureFailed: "The measurement could not be started",
  cancel: "Stop",
  cancelFailed: "The measurement could not be stopped",
  progress: (done: string, total: string) => `${done} of ${total} requests`,
  measuredAt: (at: string, seconds: string) => `Measured ${at}, in ${seconds} s. Medians.`,
  ended: "The last measurement did not finish",
  turnedOn: (at: string) => `Turned on ${at}`,
  turnedOff: (at: string) => `Turned off ${at}`,
  noTurn: "Never changed.",
  others: (count: number) =>
    count === 1
      ? "1 other switch was changed in the same period, so part of the difference may be due to it."
      : `${count} other switches were changed in the same period, so part of the difference may be due to them.`,
  noVisits: "No visits to compare yet.",
  before: "Before",
  after: "After",
  cacheOff: "The response cache is off",
  cacheOffText: "Nothing is cached. You can turn it on under Switches.",
  cacheFacts: "Cache of this server",
  entries: "Responses",
  memory: "Memory",
  hitRate: "Hit rate",
  hits: "Hits",
  misses: "Misses",
  bypassed: "Bypassed",
  age: "Age",
  seconds: (seconds: string) => `${seconds} s`,
  ofMost: (bytes: string, most: string) => `${bytes} of ${most}`,
  purgeAll: "Purge everything",
  purge: "Purge",
  purgeOne: (path: string) => `Purge ${path}`,
  purgeFailed: "The cache could not be purged",
  nothingKept: "The cache is empty",
  nothingKeptText: "It fills with the next requests from visitors without cookies.",
  kept: "Cached responses",
} as const;

/** The metrics' names and meanings. */
export const metricTexts: Record<Metric, { name: string; meaning: string }> = {
  LCP: { name: "Largest contentful paint", meaning: "Time until the largest part of the page is visible" },
  INP: { name: "Interaction to next paint", meaning: "Time until the page reacts to an interaction" },
  CLS: { name: "Cumulative layout shift", meaning: "How much the layout shifts unexpectedly" },
  FCP: { name: "First contentful paint", meaning: "Time until the first content is visible" },
  TTFB: { name: "Time to first byte", meaning: "Time until the first byte of the response" },
};

/** The ratings' names. */
export const ratingTexts: Record<Rating, string> = {
  good: "Good",
  "needs-improvement": "Needs improvement",
  poor: "Poor",
  "too-few": "Too few visits",
};

/** The switches' names and effects. */
export const switchTexts: Record<SwitchName, { title: string; text: string }> = {
  compression: {
    title: "Compression of dynamic responses",
    text: "Compresses API responses of 1 KB or more with zstd, brotli or gzip. Pages and scripts are compressed anyway. Responses to signed-in users are compressed only for requests from the site's own pages, so that other sites can't learn anything from their length.",
  },
  cacheLifetimes: {
    title: "Cache lifetimes",
    text: "Browsers cache public pages and the listed endpoints for the time in the settings, and show the old page while they fetch the new one. Personal responses are never cached.",
  },
  preloadHeaders: {
    title: "Preload headers",
    text: "Tells browsers which scripts and styles a page needs before they read the document. Pages become interactive sooner, but the extra downloads compete with the first paint.",
  },
  prefetch: {
    title: "Prefetching of next pages",
    text: "Learns where visitors go from each public page, and fetches the code of the most likely next page. Off on slow connections and in data saver mode. Needs some measured visits first.",
  },
  responseCache: {
    title: "Response cache",
    text: "Serves public pages and the listed endpoints from memory to visitors without cookies. Changing plugins or settings clears the cache.",
  },
};
