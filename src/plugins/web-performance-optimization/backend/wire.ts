/** The metrics that browsers measure, in display order. */
export const metrics = ["LCP", "INP", "CLS", "FCP", "TTFB"] as const;
export type Metric = (typeof metrics)[number];

/** The plugin's switches. */
export const switchNames = [
  "compression",
  "cacheLifetimes",
  "preloadHeaders",
  "prefetch",
  "responseCache",
] as const;
export type SwitchName = (typeof switchNames)[number];

/** A value against the thresholds of web-vitals, see `figureOf`; `too-few`: not enough visits to rate it. */
export type Rating = "good" | "needs-improvement" | "poor" | "too-few";

/** A metric's value for visitors: milliseconds, for CLS a number without a unit. */
export type Figure = { p75: number; count: number; rating: Rating };

/** Figures of the metrics with measurements. */
export type Figures = Partial<Record<Metric, Figure>>;

/** Visitors' figures in a time range; `visits` counts documents that reported at least their first byte. */
export type Summary = {
  days: number;
  visits: number;
  metrics: Figures;
  /** Most visited first. */
  pages: { page: string; visits: number; metrics: Figures }[];
  /** Oldest first: one for each hour of the last day, or for each day, also without visits. */
  series: { at: string; visits: number; metrics: Figures }[];
  /** The time of the first measurement ever; `null` before. */
  firstAt: string | null;
};

/** A change of a switch, with visitors' figures before and after. */
export type Switching = {
  switch: SwitchName;
  isOn: boolean;
  at: string;
  /** In the days, or hours, before and after; empty without measured visits. */
  before: Figures;
  after: Figures;
  /** How many other switches were changed in the compared range: they may cause part of the difference. */
  others: number;
};

/** The state of a switch. */
export type SwitchState = { name: SwitchName; isOn: boolean };

/** A cached response on this server; a path may have several, which `id` distinguishes. */
export type KeptAnswer = { id: number; path: string; hits: number; bytes: number; ageSeconds: number };

/** The response cache of this server. */
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

/** Bytes transferred and time for one path with a switch off and on: medians. */
export type Measured = {
  path: string;
  off: { bytes: number; ms: number };
  on: { bytes: number; ms: number };
};

/** The results for one switch; `note` says what the figures cannot. */
export type SwitchReport = { name: SwitchName; rows: Measured[]; note: string };

/** A finished measurement. */
export type Report = {
  at: string;
  repeats: number;
  seconds: number;
  switches: SwitchReport[];
  notes: string[];
};

/** The progress of the measurement, and the last report. */
export type ReportState = {
  isRunning: boolean;
  done: number;
  total: number;
  /** Why the last one ended without a report; `null` if it has one. */
  error: string | null;
  report: Report | null;
};

/** The settings of the page script: whether to measure, and which pages to prefetch. */
export type SiteFacts = {
  /** Share of visits to measure, in percent; 0: none. */
  sample: number;
  /** By page, the pages that visitors most often open next. Empty while prefetching is off. */
  next: Record<string, string[]>;
};

/** What a page script sends: values, and steps from one page to another. */
export type Beacon = {
  values: { page: string; metric: Metric; value: number }[];
  steps: { from: string; to: string }[];
};
