import { expect, test } from "bun:test";
import { interleave, median, quantile } from "./interleave.ts";

test("rounds go forwards and backwards, and each result stands with its subject", async () => {
  const order: string[] = [];
  const results = await interleave(["a", "b", "c"], 2, async (subject) => {
    order.push(subject);
    return order.length;
  });
  expect(order.join("")).toBe("abccba");
  expect(results).toEqual([
    [1, 6],
    [2, 5],
    [3, 4],
  ]);
});

test("a median is not moved by one outlier, and a quantile is a value that was measured", () => {
  expect(median([3, 1, 900])).toBe(3);
  expect(quantile([10, 20, 30, 40], 0.99)).toBe(40);
  expect(median([])).toBeNaN();
});
