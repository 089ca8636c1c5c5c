import { describe, expect, test } from "bun:test";
import { createRandom } from "../testing/seeded-random.ts";
import { type Metric, metrics } from "../wire.ts";
import { addTo, bucketOf, countIn, type Histogram, mergeInto, p75Of } from "./histogram.ts";

const histogramOf = (metric: Metric, values: readonly number[]): Histogram => {
  const histogram: Histogram = [];
  for (const value of values) addTo(histogram, bucketOf(metric, value), 1);
  return histogram;
};

const exactP75 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? 0;

describe("p75 from buckets is at most 5 % off", () => {
  const random = createRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(random() || 1)) * Math.cos(2 * Math.PI * random());
  const shapes: [string, () => number][] = [
    ["values that spread evenly", () => 50 + random() * 5_000],
    ["values with a long tail", () => 900 * Math.exp(normal() * 0.8)],
    ["values that lie close together", () => 2_400 + random() * 40],
    ["values with two heights", () => (random() < 0.7 ? 300 : 4_000) + random() * 100],
    ["very small and very large values", () => 10 ** (random() * 5)],
  ];
  for (const metric of metrics)
    test.each(shapes)(`${metric}: %s`, (_title, draw) => {
      const scale = metric === "CLS" ? 10_000 : 1;
      for (const size of [1, 7, 100, 3_000]) {
        const values = Array.from({ length: size }, () => draw() / scale);
        const exact = exactP75(values);
        if (metric === "CLS" && exact < 0.001) continue;
        expect(Math.abs(p75Of(metric, histogramOf(metric, values)) / exact - 1)).toBeLessThanOrEqual(0.05);
      }
    });
});

test("parts that are put together tell what all values together tell", () => {
  const random = createRandom(11);
  const values = Array.from({ length: 1_000 }, () => 10 + random() * 9_000);
  const parts = [values.slice(0, 10), values.slice(10, 400), [], values.slice(400)];
  const merged = parts.map((part) => histogramOf("LCP", part)).reduce(mergeInto, []);
  expect(merged).toEqual(histogramOf("LCP", values));
  expect(countIn(merged)).toBe(1_000);
});

test("putting together leaves what is added as it was", () => {
  const more = histogramOf("LCP", [100, 200]);
  const before = structuredClone(more);
  mergeInto(histogramOf("LCP", [100, 300]), more);
  expect(more).toEqual(before);
});

test("no value makes more buckets than there are", () => {
  const values = [0, 0.0001, 1, 1e9, Number.MAX_VALUE];
  for (const metric of metrics)
    for (const value of values) expect(bucketOf(metric, value)).toBeWithin(0, 191);
});

test("nothing measured is 0, and so is what cannot be told from it", () => {
  expect(p75Of("LCP", [])).toBe(0);
  expect(p75Of("CLS", histogramOf("CLS", [0, 0, 0.0001]))).toBe(0);
});
