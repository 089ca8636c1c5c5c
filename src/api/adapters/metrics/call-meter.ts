import type { ExposedFamily, ExposedSample } from "./write-exposition.ts";

/** An answered call. `route` is a template such as `/api/admin/users/:id`, or a word for what has none; never a path. */
export type MeteredCall = { method: string; route: string; status: number; seconds: number };

/** Counts calls and their times. */
export type CallMeter = {
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
export const createCallMeter = (): CallMeter => {
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
        help: "Time from the arrival of a request to the head of its answer",
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
