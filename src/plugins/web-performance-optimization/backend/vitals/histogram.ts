import type { Beacon, Metric } from "../wire.ts";
import { otherPages } from "./page-template.ts";

/**
 * Counts of values in buckets whose bounds grow by a fixed factor: as pairs of bucket and count, in the order of buckets.
 * Adding two of them together loses nothing.
 */
export type Histogram = number[];

// A value told by the geometric middle of its bucket is wrong by at most √1.08 − 1: 3.9 %.
const growth = 1.08;
const step = Math.log(growth);
const lastBucket = 190;
// Where buckets begin: what is below is told as 0, which nobody can tell from it.
const least: Record<Metric, number> = { LCP: 1, INP: 1, FCP: 1, TTFB: 1, CLS: 0.001 };

/** The bucket of a value: 0 for what is smaller than can be told. Beyond the last one everything is in the last. */
export const bucketOf = (metric: Metric, value: number): number => {
  const ratio = value / least[metric];
  return ratio < 1 ? 0 : Math.min(lastBucket, Math.floor(Math.log(ratio) / step) + 1);
};

/** Adds a count to a bucket; gives the histogram back. */
export const addTo = (histogram: Histogram, bucket: number, count: number): Histogram => {
  for (let at = 0; at < histogram.length; at += 2) {
    const known = histogram[at] ?? 0;
    if (known === bucket) {
      histogram[at + 1] = (histogram[at + 1] ?? 0) + count;
      return histogram;
    }
    if (known > bucket) {
      histogram.splice(at, 0, bucket, count);
      return histogram;
    }
  }
  histogram.push(bucket, count);
  return histogram;
};

/** Adds all of `more` to a histogram, in one walk over both; gives it back. */
export const mergeInto = (histogram: Histogram, more: Histogram): Histogram => {
  const old = histogram.splice(0);
  let [left, right] = [0, 0];
  while (left < old.length || right < more.length) {
    const [one, other] = [old[left] ?? Number.POSITIVE_INFINITY, more[right] ?? Number.POSITIVE_INFINITY];
    const count = (one <= other ? (old[left + 1] ?? 0) : 0) + (other <= one ? (more[right + 1] ?? 0) : 0);
    histogram.push(Math.min(one, other), count);
    if (one <= other) left += 2;
    if (other <= one) right += 2;
  }
  return histogram;
};

/** How many values there are. */
export const countIn = (histogram: Histogram): number => {
  let count = 0;
  for (let at = 1; at < histogram.length; at += 2) count += histogram[at] ?? 0;
  return count;
};

/** The value that three quarters of all do not exceed: at most 4 % off, 0 where there are none. */
export const p75Of = (metric: Metric, histogram: Histogram): number => {
  const wanted = Math.ceil(countIn(histogram) * 0.75);
  let passed = 0;
  for (let at = 0; at < histogram.length; at += 2) {
    passed += histogram[at + 1] ?? 0;
    if (passed >= wanted) return middleOf(metric, histogram[at] ?? 0);
  }
  return 0;
};

const middleOf = (metric: Metric, bucket: number): number =>
  bucket === 0 ? 0 : least[metric] * Math.exp((bucket - 0.5) * step);

/** What was measured in a span of time: by page and metric, and how often visitors went from a page to another. */
export type Aggregate = {
  pages: Record<string, Partial<Record<Metric, Histogram>>>;
  steps: Record<string, Record<string, number>>;
};

/** Nothing yet. */
export const emptyAggregate = (): Aggregate => ({ pages: {}, steps: {} });

/** Whether nothing was measured. */
export const isEmptyAggregate = ({ pages, steps }: Aggregate): boolean =>
  Object.keys(pages).length === 0 && Object.keys(steps).length === 0;

/** Adds what a visitor's browser told; its pages are templates by now. */
export const addBeacon = (aggregate: Aggregate, { values, steps }: Beacon): void => {
  for (const { page, metric, value } of values)
    addTo(histogramAt(aggregate, page, metric), bucketOf(metric, value), 1);
  for (const { from, to } of steps) addStep(aggregate, { from, to, count: 1 });
};

/** Adds all of `more`; gives the aggregate back. */
export const mergeAggregate = (aggregate: Aggregate, more: Aggregate): Aggregate => {
  for (const [page, byMetric] of Object.entries(more.pages))
    for (const [metric, histogram] of entriesOf(byMetric))
      mergeInto(histogramAt(aggregate, page, metric), histogram);
  for (const [from, counts] of Object.entries(more.steps))
    for (const [to, count] of Object.entries(counts)) addStep(aggregate, { from, to, count });
  return aggregate;
};

/** Metrics and histograms of a page. */
export const entriesOf = (byMetric: Aggregate["pages"][string]): [Metric, Histogram][] =>
  Object.entries(byMetric) as [Metric, Histogram][];

/** How many values a page has in all. */
const valuesOf = (byMetric: Aggregate["pages"][string]): number =>
  entriesOf(byMetric).reduce((sum, [, histogram]) => sum + countIn(histogram), 0);

/**
 * Makes an aggregate fit into `mostBytes` of JSON: steps go first, from the rarest, then the least visited pages become part of
 * all others. What there is of values in all stays the same.
 */
export const fitAggregate = (aggregate: Aggregate, mostBytes: number): Aggregate => {
  const isTooLarge = () => Buffer.byteLength(JSON.stringify(aggregate)) > mostBytes;
  while (isTooLarge() && Object.keys(aggregate.steps).length > 0) {
    const [rarest] = Object.entries(aggregate.steps).sort(([, a], [, b]) => sumOf(a) - sumOf(b));
    if (rarest !== undefined) delete aggregate.steps[rarest[0]];
  }
  while (isTooLarge()) {
    const [least] = Object.entries(aggregate.pages)
      .filter(([page]) => page !== otherPages)
      .sort(([, a], [, b]) => valuesOf(a) - valuesOf(b));
    if (least === undefined) return aggregate;
    const [page, byMetric] = least;
    delete aggregate.pages[page];
    mergeAggregate(aggregate, { pages: { [otherPages]: byMetric }, steps: {} });
  }
  return aggregate;
};

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const histogramAt = (aggregate: Aggregate, page: string, metric: Metric): Histogram => {
  aggregate.pages[page] ??= {};
  const byMetric = aggregate.pages[page];
  byMetric[metric] ??= [];
  return byMetric[metric];
};

const addStep = (
  aggregate: Aggregate,
  { from, to, count }: { from: string; to: string; count: number },
): void => {
  aggregate.steps[from] ??= {};
  const counts = aggregate.steps[from];
  counts[to] = (counts[to] ?? 0) + count;
};
