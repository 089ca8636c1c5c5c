import { describe, expect, test } from "bun:test";
import { readReport } from "./lighthouse.ts";

const report = {
  categories: {
    performance: { score: 0.98 },
    accessibility: { score: 1 },
    "best-practices": { score: 0.96 },
    seo: { score: 0.54 },
  },
  audits: {
    "cumulative-layout-shift": { numericValue: 0.117 },
    "total-blocking-time": { numericValue: 155 },
  },
};

describe("a report of Lighthouse", () => {
  test("is read as whole scores of a hundred, shift and blocking time", () => {
    expect(readReport(JSON.stringify(report))).toEqual({
      performance: 98,
      accessibility: 100,
      bestPractices: 96,
      seo: 54,
      layoutShift: 0.117,
      blockingMs: 155,
    });
  });

  test("of a load that failed, found no score or wrote nothing counts for nothing", () => {
    const failed = { ...report, runtimeError: { code: "NO_NAVSTART" } };
    const scoreless = { ...report, categories: { ...report.categories, performance: { score: null } } };
    for (const useless of [failed, scoreless]) expect(readReport(JSON.stringify(useless))).toBeNull();
    expect(readReport("")).toBeNull();
  });
});
