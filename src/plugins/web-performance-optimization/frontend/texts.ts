import type { Metric, Rating, SwitchName } from "../backend/wire.ts";

/** Every sentence of the plugin's page. */
export const texts = {
  places: "Parts of this page",
  tabs: { visitors: "Visitors", switches: "Switches", cache: "Response cache" },
  loading: "Loading",
  failed: "This could not be loaded",
  retry: "Try again",
  noPage: "There is no such page",
  noPageText: "Its address may be mistyped.",
  toVisitors: "How fast pages are for visitors",
  withAdmin: "With the admin area",
  span: "Span of time",
  spans: { 1: "Last 24 hours", 7: "Last 7 days", 28: "Last 28 days", 90: "Last 90 days" },
  empty: "No visit was measured yet",
  emptyText:
    "A page tells how fast it was when its visitor leaves it. Open the site in another window, go to another page, and come back here.",
  emptySpan: "No visit was measured in this time",
  emptySpanText:
    "A visit is measured when its page is left or goes out of sight, unless the browser asks not to be followed. Choose a longer span of time, or open the site in another window, leave it, and come back here.",
  measuringOff: "Measuring is switched off",
  measuringOffText: "Figures below are of before. It is switched on again in the settings of this plugin.",
  p75: "Three quarters of visits had at most this",
  p75Note:
    "Told by counts in narrow ranges, at most 4 % off. All figures belong to the page that a visit began with, as search engines count, too.",
  measured: (count: string) => `${count} measured`,
  notMeasured: "Not measured",
  visits: (count: string) => `${count} visits`,
  overTime: "Over time",
  dayAgo: "24 hours ago",
  now: "now",
  metric: "Metric",
  chartOf: (metric: string) => `${metric}, three quarters of visits`,
  time: "Time",
  value: "Value",
  rating: "Rating",
  none: "–",
  pages: "Pages",
  page: "Page",
  visitsHead: "Visits",
  otherPages: "All other addresses",
  sortedBy: (name: string) => `Sort by ${name}`,
  switchesLead:
    "Each of them is off until you switch it on. What it does is measured twice: by this server on itself, and by visitors before and after.",
  turnFailed: "The switch could not be turned",
  effectServer: "Measured on this server",
  effectVisitors: "Visitors before and after",
  address: "Address",
  bytes: "Bytes",
  milliseconds: "Milliseconds",
  off: "off",
  on: "on",
  noReport: "Not measured yet.",
  noRows: "Nothing to measure on the server.",
  measure: "Measure now",
  measureTitle: "What switches do",
  measureText:
    "The server asks itself for some pages and calls, with each switch off and on by turns. Nothing changes for visitors meanwhile, however the switches stand.",
  measureFailed: "The measurement could not be begun",
  cancel: "Stop",
  cancelFailed: "The measurement could not be stopped",
  progress: (done: string, total: string) => `${done} of ${total} answers`,
  measuredAt: (at: string, seconds: string) => `Measured ${at}, in ${seconds} s. Medians.`,
  ended: "The last measurement has no report",
  turnedOn: (at: string) => `Switched on ${at}`,
  turnedOff: (at: string) => `Switched off ${at}`,
  noTurn: "Never switched.",
  others: (count: number) =>
    count === 1
      ? "1 other switch was turned at the same time, or within the span that is compared: the difference is not this one's alone."
      : `${count} other switches were turned at the same time, or within the span that is compared: the difference is not this one's alone.`,
  noVisits: "No visits to compare yet.",
  before: "Before",
  after: "After",
  cacheOff: "The response cache is off",
  cacheOffText: "Nothing is kept. Switch it on among the switches.",
  cacheFacts: "Kept answers of this server",
  entries: "Answers",
  memory: "Memory",
  hitRate: "Answered from memory",
  hits: "Hits",
  misses: "Misses",
  bypassed: "Not for visitors without cookies",
  age: "Age",
  seconds: (seconds: string) => `${seconds} s`,
  ofMost: (bytes: string, most: string) => `${bytes} of ${most}`,
  purgeAll: "Purge everything",
  purge: "Purge",
  purgeOne: (path: string) => `Purge ${path}`,
  purgeFailed: "The cache could not be purged",
  nothingKept: "Nothing is kept at this moment",
  nothingKeptText: "Answers come in with the next visitors without cookies.",
  kept: "Kept answers",
} as const;

/** What the metrics are called. */
export const metricTexts: Record<Metric, { name: string; meaning: string }> = {
  LCP: { name: "Largest contentful paint", meaning: "Until the largest part of the page is there" },
  INP: { name: "Interaction to next paint", meaning: "Until the page reacts to what a visitor does" },
  CLS: { name: "Cumulative layout shift", meaning: "How much of the page moves by itself" },
  FCP: { name: "First contentful paint", meaning: "Until anything can be seen" },
  TTFB: { name: "Time to first byte", meaning: "Until the server's answer begins" },
};

/** What ratings are called. */
export const ratingTexts: Record<Rating, string> = {
  good: "Good",
  "needs-improvement": "Needs improvement",
  poor: "Poor",
  "too-few": "Too few to judge",
};

/** What switches are called, and what they do. */
export const switchTexts: Record<SwitchName, { title: string; text: string }> = {
  compression: {
    title: "Compression of dynamic answers",
    text: "Answers of calls from 1 KB on, in zstd, brotli or gzip. Pages and scripts are compressed without it. Answers to somebody signed in are compressed only when the site's own pages ask, so that their lengths tell other sites nothing.",
  },
  cacheLifetimes: {
    title: "Cache lifetimes",
    text: "Browsers keep public pages and listed calls for the time that the settings say, and show an old page while they fetch the new one. Never what is for one person.",
  },
  preloadHeaders: {
    title: "Preload headers",
    text: "A page's scripts and styles are named ahead of its document. Pages can be read without them, so this helps them react sooner, at the price of bytes that compete with the first picture.",
  },
  prefetch: {
    title: "Prefetching of next pages",
    text: "Learns where visitors go from each public page, and fetches the code of the likely next one. Not on slow lines, and not where data is to be saved. Needs some measured visits first.",
  },
  responseCache: {
    title: "Response cache",
    text: "Public pages and listed calls come from memory, for visitors without cookies. It forgets them when plugins or settings change.",
  },
};
