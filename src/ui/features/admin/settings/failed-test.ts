import type { TestResult } from "#contract/settings.ts";
import { pageSettingsTexts } from "#contract/settings-texts.ts";
import { ApiError } from "#ui/lib/api.ts";
import type { TestKind } from "./api.ts";
import { testTexts } from "./texts.ts";

/** What to show of a test that did not work: the server's findings, or why there are none. */
export const failedTest = (kind: TestKind, error: unknown): TestResult => {
  const found = error instanceof ApiError ? resultIn(error.data) : null;
  return (
    found ?? {
      title: titles[kind],
      message: messageOf(kind, error),
      severity: "error",
      details: "",
      testResults: [],
    }
  );
};

const titles = {
  redis: pageSettingsTexts.redisFails,
  r2: pageSettingsTexts.r2Fails,
  "rate-limit": pageSettingsTexts.limiterFails,
  mail: pageSettingsTexts.mailFails,
} as const;

const messageOf = (kind: TestKind, error: unknown): string => {
  const hasWords = error instanceof ApiError && error.status > 0 && error.code !== "UNKNOWN";
  return hasWords ? error.message : pageSettingsTexts.testUnreachable(testTexts[kind].subject);
};

/** The server checks its answers against their published shape, so what names a title and steps has all of it. */
const resultIn = (data: unknown): TestResult | null => {
  const result = isRecord(data) ? data.testResult : null;
  return isTestResult(result) ? result : null;
};

const isTestResult = (value: unknown): value is TestResult =>
  isRecord(value) && typeof value.title === "string" && Array.isArray(value.testResults);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
