import type { ConnectionReport } from "#api/core/settings.ts";
import type { TestResult } from "#contract/settings.ts";

/** What stands above the result of a test, by how it went. */
export type TestTitles = { works: string; fails: string };

/**
 * A test's report as admins see it. What works but has a warning among its steps is a warning; what a step says already
 * is not said above them too.
 */
export const asTestResult = (
  { isWorking, summary, details, steps }: ConnectionReport,
  { works, fails }: TestTitles,
): TestResult => {
  const good = steps.some(({ status }) => status === "warning") ? "warning" : "success";
  return {
    title: isWorking ? works : fails,
    message: summary,
    severity: isWorking ? good : "error",
    details: steps.some(({ message, remedy }) => details === message || details === remedy) ? "" : details,
    testResults: steps,
  };
};
