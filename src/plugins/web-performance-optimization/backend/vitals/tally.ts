import type { Beacon, Metric } from "../wire.ts";
import { addTo, bucketOf, countIn, type Histogram, mergeInto } from "./histogram.ts";
import { otherPages } from "./page-template.ts";

/** What was measured in a span of time: by page and metric, and how often visitors went from a page to another. */
export type Tally = {
  pages: Record<string, Partial<Record<Metric, Histogram>>>;
  steps: Record<string, Record<string, number>>;
};

/** Nothing yet. */
export const emptyTally = (): Tally => ({ pages: {}, steps: {} });

/** Whether nothing was measured. */
export const isEmptyTally = ({ pages, steps }: Tally): boolean =>
  Object.keys(pages).length === 0 && Object.keys(steps).length === 0;

/** Adds what a visitor's browser told; its pages are templates by now. */
export const addBeacon = (tally: Tally, { values, steps }: Beacon): void => {
  for (const { page, metric, value } of values)
    addTo(histogramAt(tally, page, metric), bucketOf(metric, value), 1);
  for (const { from, to } of steps) addStep(tally, { from, to, count: 1 });
};

/** Adds all of `more`; gives the tally back. */
export const mergeTally = (tally: Tally, more: Tally): Tally => {
  for (const [page, byMetric] of Object.entries(more.pages))
    for (const [metric, histogram] of entriesOf(byMetric))
      mergeInto(histogramAt(tally, page, metric), histogram);
  for (const [from, counts] of Object.entries(more.steps))
    for (const [to, count] of Object.entries(counts)) addStep(tally, { from, to, count });
  return tally;
};

/** Metrics and histograms of a page. */
export const entriesOf = (byMetric: Tally["pages"][string]): [Metric, Histogram][] =>
  Object.entries(byMetric) as [Metric, Histogram][];

/** How many values a page has in all. */
export const valuesOf = (byMetric: Tally["pages"][string]): number =>
  entriesOf(byMetric).reduce((sum, [, histogram]) => sum + countIn(histogram), 0);

/**
 * Makes a tally fit into `mostBytes` of JSON: steps go first, from the rarest, then the least visited pages become part of
 * all others. What there is of values in all stays the same.
 */
export const fitTally = (tally: Tally, mostBytes: number): Tally => {
  const isTooLarge = () => Buffer.byteLength(JSON.stringify(tally)) > mostBytes;
  while (isTooLarge() && Object.keys(tally.steps).length > 0) {
    const [rarest] = Object.entries(tally.steps).sort(([, a], [, b]) => sumOf(a) - sumOf(b));
    if (rarest !== undefined) delete tally.steps[rarest[0]];
  }
  while (isTooLarge()) {
    const [least] = Object.entries(tally.pages)
      .filter(([page]) => page !== otherPages)
      .sort(([, a], [, b]) => valuesOf(a) - valuesOf(b));
    if (least === undefined) return tally;
    const [page, byMetric] = least;
    delete tally.pages[page];
    mergeTally(tally, { pages: { [otherPages]: byMetric }, steps: {} });
  }
  return tally;
};

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const histogramAt = (tally: Tally, page: string, metric: Metric): Histogram => {
  tally.pages[page] ??= {};
  const byMetric = tally.pages[page];
  byMetric[metric] ??= [];
  return byMetric[metric];
};

const addStep = (tally: Tally, { from, to, count }: { from: string; to: string; count: number }): void => {
  tally.steps[from] ??= {};
  const counts = tally.steps[from];
  counts[to] = (counts[to] ?? 0) + count;
};
