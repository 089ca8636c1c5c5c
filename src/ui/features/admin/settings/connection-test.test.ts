import { expect, test } from "bun:test";
import { settingsTexts, type TestResult } from "#contract/settings.ts";
import { ApiError } from "#ui/lib/api.ts";
import { failedTest } from "./connection-test.tsx";
import { testResultText } from "./test-dialog.tsx";

const found: TestResult = {
  title: settingsTexts.redisFails,
  message: "The password is wrong.",
  severity: "error",
  details: "redis.example:6379",
  testResults: [
    { name: "Connect", status: "passed", message: "Connected", durationMs: 3 },
    { name: "Sign in", status: "failed", message: "WRONGPASS", remedy: "Enter the password again." },
  ],
};

test("a test that did not work shows what the server found", () => {
  const error = new ApiError("The test failed", {
    status: 422,
    code: "TEST_FAILED",
    data: { testResult: found },
  });
  expect(failedTest("redis", error)).toEqual(found);
});

test("a refused test shows the server's words, and an unanswered one that the network failed", () => {
  const busy = new ApiError(settingsTexts.testRunning, { status: 409, code: "CONFLICT" });
  expect(failedTest("r2", busy)).toMatchObject({
    title: settingsTexts.r2Fails,
    message: settingsTexts.testRunning,
    severity: "error",
  });
  const away = new ApiError("An error occurred. Please try again.", { status: 0, code: "NETWORK" });
  expect(failedTest("rate-limit", away)).toMatchObject({
    title: settingsTexts.limiterFails,
    message: "A network error occurred while testing rate limiting",
  });
});

test("as text, a result has every step with its time and what to do", () => {
  expect(testResultText(found)).toBe(
    [
      "Redis Connection Test Failed",
      "The password is wrong.",
      "redis.example:6379",
      "[passed] Connect (3 ms): Connected",
      "[failed] Sign in: WRONGPASS",
      "  Enter the password again.",
    ].join("\n"),
  );
});
