/** What browsers measure, in the order in which it is shown. */
export const metrics = ["LCP", "INP", "CLS", "FCP", "TTFB"] as const;
export type Metric = (typeof metrics)[number];

/** What can be switched. */
export const switchNames = [
  "compression",
  "cacheLifetimes",
  "preloadHeaders",
  "prefetch",
  "responseCache",
] as const;
export type SwitchName = (typeof switchNames)[number];

/** How a value compares with the bounds that web-vitals gives, see `figureOf`; `too-few` were measured to judge it. */
export type Rating = "good" | "needs-improvement" | "poor" | "too-few";

/** A metric as visitors met it: milliseconds, for CLS a number without unit. */
export type Figure = { p75: number; count: number; rating: Rating };

/** Figures of those metrics that were measured. */
export type Figures = Partial<Record<Metric, Figure>>;

/** What visitors met in a span of time; `visits` counts documents that told of at least their first byte. */
export type Summary = {
  days: number;
  visits: number;
  metrics: Figures;
  /** Most visited first. */
  pages: { page: string; visits: number; metrics: Figures }[];
  /** Oldest first: one for each hour of the last day, or for each day; those without visits are there, too. */
  series: { at: string; visits: number; metrics: Figures }[];
  /** When anything was measured at all for the first time; `null` before. */
  firstAt: string | null;
};

/** When a switch was turned, and by how much visitors' figures differ since. */
export type Switching = {
  switch: SwitchName;
  isOn: boolean;
  at: string;
  /** In the days, or hours, before and after; empty where nobody was measured. */
  before: Figures;
  after: Figures;
  /** How many other switches were turned within the span that is compared: the difference is theirs, too. */
  others: number;
};

/** One of the switches as it stands. */
export type SwitchState = { name: SwitchName; isOn: boolean };

/** An answer that is kept, on this server; `id` tells it from others of its address. */
export type KeptAnswer = { id: number; path: string; hits: number; bytes: number; ageSeconds: number };

/** The kept answers of this server. */
export type CacheState = {
  isOn: boolean;
  entries: number;
  bytes: number;
  mostBytes: number;
  hits: number;
  misses: number;
  bypassed: number;
  /** Largest number of hits first. */
  kept: KeptAnswer[];
};

/** Bytes on the wire and time of one address with a switch off and on: medians. */
export type Measured = {
  path: string;
  off: { bytes: number; ms: number };
  on: { bytes: number; ms: number };
};

/** What the measurement found of one switch; `note` says what figures cannot. */
export type SwitchReport = { name: SwitchName; rows: Measured[]; note: string };

/** A finished measurement. */
export type Report = {
  at: string;
  repeats: number;
  seconds: number;
  switches: SwitchReport[];
  notes: string[];
};

/** How the measurement stands. */
export type ReportState = {
  isRunning: boolean;
  done: number;
  total: number;
  /** Why the last one ended without a report; `null` when it did not. */
  error: string | null;
  report: Report | null;
};

/** What a page script is told: whether to measure, and which pages to fetch ahead. */
export type SiteFacts = {
  /** Share of visits that are measured, in per cent; 0: none. */
  sample: number;
  /** By page, the pages that visitors most often go to next. Empty while nothing is to be fetched ahead. */
  next: Record<string, string[]>;
};

/** What a page script sends: values, and steps from one page to another. */
export type Beacon = {
  values: { page: string; metric: Metric; value: number }[];
  steps: { from: string; to: string }[];
};
