import type { TestResult } from "#contract/settings.ts";

/** A test's findings as plain text, to be pasted into a message. */
export const testResultText = ({ title, message, details, testResults }: TestResult): string =>
  [
    title,
    message,
    ...(details === "" ? [] : [details]),
    ...testResults.flatMap((step) => [
      `[${step.status}] ${step.name}${step.durationMs === undefined ? "" : ` (${step.durationMs} ms)`}: ${step.message}`,
      ...(step.remedy === undefined ? [] : [`  ${step.remedy}`]),
    ]),
  ].join("\n");
