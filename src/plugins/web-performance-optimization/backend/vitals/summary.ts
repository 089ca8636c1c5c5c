import { type Figure, type Figures, type Metric, metrics, type Rating, type Summary } from "../wire.ts";
import { type Aggregate, countIn, entriesOf, type Histogram, mergeInto, p75Of } from "./histogram.ts";
import { dayMs, hourMs, isAdminPage, startsBetween } from "./page-template.ts";
import type { Slot, VitalsStore } from "./vitals-store.ts";

/** Histograms of one page, or of all. */
type ByMetric = Partial<Record<Metric, Histogram>>;

/** Which days, now included, and whether those who work in the admin area count among visitors. */
type Wanted = { days: number; withAdmin: boolean };

/** What visitors met in the last `days` days. */
export const readSummary = async (
  { store, now }: { store: Pick<VitalsStore, "read" | "firstAt">; now: () => number },
  { days, withAdmin }: Wanted,
): Promise<Summary> => {
  const spanMs = days === 1 ? hourMs : dayMs;
  const end = Math.ceil((now() + 1) / spanMs) * spanMs;
  const start = end - days * dayMs;
  const [slots, firstAt] = await Promise.all([store.read(start, end), store.firstAt()]);
  const byPage = new Map<string, ByMetric>();
  const bySpan = new Map<number, ByMetric>();
  const all: ByMetric = {};
  for (const { at, aggregate } of slots)
    for (const [page, measured] of Object.entries(aggregate.pages)) {
      if (!withAdmin && isAdminPage(page)) continue;
      const span = Math.floor(at / spanMs) * spanMs;
      for (const into of [all, partOf(byPage, page), partOf(bySpan, span)]) addAll(into, measured);
    }
  return {
    days,
    visits: visitsIn(all),
    metrics: figuresOf(all),
    pages: [...byPage]
      .map(([page, measured]) => ({ page, visits: visitsIn(measured), metrics: figuresOf(measured) }))
      .sort((a, b) => b.visits - a.visits || a.page.localeCompare(b.page)),
    series: startsBetween(start, end, spanMs).map((at) => {
      const measured = bySpan.get(at) ?? {};
      return { at: new Date(at).toISOString(), visits: visitsIn(measured), metrics: figuresOf(measured) };
    }),
    firstAt: firstAt === null ? null : new Date(firstAt).toISOString(),
  };
};

/** Figures of all pages in these slots together, but for those of the admin area. */
export const figuresIn = (slots: readonly Slot[]): Figures => {
  const all: ByMetric = {};
  for (const { aggregate } of slots)
    for (const [page, measured] of Object.entries(aggregate.pages))
      if (!isAdminPage(page)) addAll(all, measured);
  return figuresOf(all);
};

const partOf = <Key>(parts: Map<Key, ByMetric>, key: Key): ByMetric => {
  const known = parts.get(key) ?? {};
  parts.set(key, known);
  return known;
};

const addAll = (into: ByMetric, measured: Aggregate["pages"][string]): void => {
  for (const [metric, histogram] of entriesOf(measured))
    into[metric] = mergeInto(into[metric] ?? [], histogram);
};

// Every document tells at least one of them, most tell all but the reaction to what visitors do.
const visitsIn = (measured: ByMetric): number =>
  Math.max(0, ...Object.values(measured).map((histogram) => countIn(histogram)));

const figuresOf = (measured: ByMetric): Figures => {
  const figures: Figures = {};
  for (const metric of metrics) {
    const histogram = measured[metric];
    if (histogram !== undefined) figures[metric] = figureOf(metric, histogram);
  }
  return figures;
};

// Source: https://web.dev/articles/vitals, and the thresholds of the package web-vitals.
const bounds: Record<Metric, readonly [good: number, poor: number]> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  FCP: [1_800, 3_000],
  TTFB: [800, 1_800],
};

// With fewer, one slow visitor is a quarter of what is told.
const leastCount = 20;

const ratingOf = (metric: Metric, value: number): Rating => {
  const [good, poor] = bounds[metric];
  if (value <= good) return "good";
  return value <= poor ? "needs-improvement" : "poor";
};

/** What is shown of a histogram: p75, and how visitors feel about it, where enough of them were measured. */
const figureOf = (metric: Metric, histogram: Histogram): Figure => {
  const exact = p75Of(metric, histogram);
  const p75 = metric === "CLS" ? Math.round(exact * 1_000) / 1_000 : Math.round(exact);
  const count = countIn(histogram);
  return { p75, count, rating: count < leastCount ? "too-few" : ratingOf(metric, p75) };
};
