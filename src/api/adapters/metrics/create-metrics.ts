import type { MetricFacts, MetricSource, Sample } from "#api/core/metrics.ts";
import { within } from "#api/core/timing.ts";

/** Figures for Prometheus. */
export type Metrics = {
  /** Takes an answered call in. */
  count(call: MeteredCall): void;
  /** Has one more part asked at each scrape. */
  add(source: MetricSource): void;
  /** Everything at this moment, as Prometheus reads it; within three seconds, whatever is away. */
  text(): Promise<string>;
  readonly contentType: string;
};

/** `build` becomes labels of `atrium_build_info`. */
export type MetricsOptions = { build: Record<string, string>; sourceMs?: number };

/** Counts calls, and asks sources for what they tell. */
export const createMetrics = ({ build, sourceMs = 2_500 }: MetricsOptions): Metrics => {
  const calls = createCallMeter();
  const sources: MetricSource[] = [];
  const info: ExposedFamily = {
    name: "atrium_build_info",
    kind: "gauge",
    help: "Version of the running program; always 1",
    samples: [{ labels: Object.entries(build), value: 1 }],
  };

  const scrape = async (): Promise<string> => {
    const told = await Promise.all(
      sources.map((source) => within(sourceMs, Promise.resolve().then(source.read)).catch(() => null)),
    );
    const up: ExposedFamily = {
      name: "atrium_metrics_source_up",
      kind: "gauge",
      help: "Whether this part reported its metrics at this scrape",
      samples: sources.map(({ name }, at) => ({ labels: [["source", name]], value: told[at] ? 1 : 0 })),
    };
    const asked = sources.flatMap(({ metrics }, at) =>
      metrics.map((facts) => familyOf(facts, told[at] ?? [])),
    );
    return writeExposition([info, up, ...asked, ...calls.families()]);
  };
  let scraping: Promise<string> | null = null;

  return {
    count: calls.count,
    add: (source) => void sources.push(source),
    text: () => {
      // Who asks meanwhile gets the same: many at the same time cost no more than one.
      scraping ??= scrape().finally(() => {
        scraping = null;
      });
      return scraping;
    },
    contentType: expositionType,
  };
};

const familyOf = (
  { name, kind, help, labels = [] }: MetricFacts,
  samples: readonly Sample[],
): ExposedFamily => ({
  ...{ name, kind, help },
  samples: samples
    .filter((sample) => sample.name === name)
    .map((sample) => ({
      labels: labels.map((label) => [label, sample.labels?.[label] ?? ""] as const),
      value: sample.value,
    })),
});

/** One line of a metric: `suffix` is what a histogram's parts have behind the name. */
type ExposedSample = {
  suffix?: string;
  labels: readonly (readonly [string, string])[];
  value: number;
};

/** One metric with all of its lines. */
type ExposedFamily = {
  name: string;
  kind: "counter" | "gauge" | "histogram";
  help: string;
  samples: readonly ExposedSample[];
};

/** The media type of what {@link writeExposition} writes. */
const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics as Prometheus reads them, in its text format 0.0.4. Metrics without a line are left out. */
const writeExposition = (families: readonly ExposedFamily[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, kind, help, samples }) => {
      const head = `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n# TYPE ${name} ${kind}\n`;
      return head + samples.map((sample) => lineOf(name, sample)).join("");
    })
    .join("");

const lineOf = (name: string, { suffix = "", labels, value }: ExposedSample): string => {
  const pairs = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(",");
  return `${name}${suffix}${pairs === "" ? "" : `{${pairs}}`} ${numberOf(value)}\n`;
};

const escaped = (text: string): string =>
  text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");

const numberOf = (value: number): string => {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
};

/** An answered call. `route` is a template such as `/api/admin/users/:id`, or a word for what has none; never a path. */
type MeteredCall = { method: string; route: string; status: number; seconds: number };

/** Counts calls and their times. */
type CallMeter = {
  count(call: MeteredCall): void;
  families(): ExposedFamily[];
};

/** What was counted of one method on one route; `buckets` are not added up. */
type Series = {
  method: string;
  route: string;
  statuses: Map<number, number>;
  buckets: Float64Array;
  count: number;
  sumS: number;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
// Plugins come and go with their routes, and their answers have any status; strangers choose neither.
const mostSeries = 1_000;
const mostStatuses = 20;
const boundsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts by method, route and status, and times by method and route. Beyond 1,000 pairs of method and route the route is
 * `other`, beyond 20 statuses of one the status is 0: a scrape is never longer than what fits into a few hundred kilobytes.
 */
const createCallMeter = (): CallMeter => {
  const byRoute = new Map<string, Map<string, Series>>();
  let size = 0;

  const seriesOf = (method: string, route: string): Series => {
    const ofRoute = byRoute.get(route);
    const known = ofRoute?.get(method);
    if (known !== undefined) return known;
    if (size >= mostSeries && route !== other) return seriesOf(method, other);
    const made: Series = {
      ...{ method, route, count: 0, sumS: 0 },
      statuses: new Map(),
      buckets: new Float64Array(boundsS.length + 1),
    };
    size += 1;
    byRoute.set(route, (ofRoute ?? new Map()).set(method, made));
    return made;
  };

  const all = (): Series[] => [...byRoute.values()].flatMap((ofRoute) => [...ofRoute.values()]);

  return {
    count: ({ method, route, status, seconds }) => {
      const series = seriesOf(methods.has(method) ? method : "OTHER", route);
      const { statuses, buckets } = series;
      const word = statuses.has(status) || statuses.size < mostStatuses ? status : 0;
      statuses.set(word, (statuses.get(word) ?? 0) + 1);
      const bucket = bucketOf(seconds);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      series.count += 1;
      series.sumS += seconds;
    },
    families: () => [
      {
        name: "http_requests_total",
        kind: "counter",
        help: "Requests that were answered",
        samples: all().flatMap(statusSamples),
      },
      {
        name: "http_request_duration_seconds",
        kind: "histogram",
        help: "Time from the arrival of a request to the head of its response",
        samples: all().flatMap(timeSamples),
      },
    ],
  };
};

const other = "other";

/** The first bucket whose bound is not below; the last one has none. */
const bucketOf = (seconds: number): number => {
  let bucket = 0;
  while (bucket < boundsS.length && seconds > (boundsS[bucket] ?? 0)) bucket += 1;
  return bucket;
};

const statusSamples = ({ method, route, statuses }: Series): ExposedSample[] =>
  [...statuses].map(([status, value]) => ({
    labels: [
      ["method", method],
      ["route", route],
      ["status", String(status)],
    ],
    value,
  }));

const timeSamples = ({ method, route, buckets, count, sumS }: Series): ExposedSample[] => {
  const labels = [
    ["method", method],
    ["route", route],
  ] as const;
  let sum = 0;
  const below = boundsS.map((bound, index): ExposedSample => {
    sum += buckets[index] ?? 0;
    return { suffix: "_bucket", labels: [...labels, ["le", String(bound)]], value: sum };
  });
  return [
    ...below,
    { suffix: "_bucket", labels: [...labels, ["le", "+Inf"]], value: count },
    { suffix: "_sum", labels, value: sumS },
    { suffix: "_count", labels, value: count },
  ];
};
