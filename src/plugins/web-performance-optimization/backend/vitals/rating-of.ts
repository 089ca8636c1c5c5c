import type { Figure, Metric, Rating } from "../wire.ts";
import { countIn, type Histogram, p75Of } from "./histogram.ts";

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
export const figureOf = (metric: Metric, histogram: Histogram): Figure => {
  const exact = p75Of(metric, histogram);
  const p75 = metric === "CLS" ? Math.round(exact * 1_000) / 1_000 : Math.round(exact);
  const count = countIn(histogram);
  return { p75, count, rating: count < leastCount ? "too-few" : ratingOf(metric, p75) };
};
