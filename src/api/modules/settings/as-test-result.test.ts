import { expect, test } from "bun:test";
import type { TestStep } from "#contract/settings.ts";
import { asTestResult } from "./test-services.ts";

const steps: TestStep[] = [
  { name: "Sign in", status: "failed", message: "WRONGPASS", remedy: "Enter the password again" },
];

test.each([
  ["Enter the password again", ""],
  ["WRONGPASS", ""],
  ["Something else", "Something else"],
])("of %j, a result says above its steps %j: only what none of them says", (details, shown) => {
  const report = { isWorking: false, summary: "Wrong password", details, steps };
  expect(asTestResult(report, { works: "Works", fails: "Fails" })).toEqual({
    title: "Fails",
    message: "Wrong password",
    severity: "error",
    details: shown,
    testResults: steps,
  });
});
