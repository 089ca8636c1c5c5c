import { CliFailure, exitCodes } from "#cli/failure.ts";
import type { Invocation } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import type { TestResult, TestStep } from "#contract/settings.ts";

/** A test that came to its end is a result, whatever it found; the command fails all the same. */
export const showFailed = (invocation: Invocation, error: unknown): never => {
  if (error instanceof CliFailure && isOutcome(error.data))
    invocation.output.result(error.data, ({ testResult }, style) => testResultText(testResult, style));
  // What is tested is what was saved: a value that is missing there is no wrong usage.
  if (error instanceof CliFailure && error.kind === "VALIDATION_FAILED")
    throw new CliFailure(error.kind, error.message, { ...error, exitCode: exitCodes.failed });
  throw error;
};

const isOutcome = (data: unknown): data is { testResult: TestResult } =>
  Array.isArray(Reflect.get(Object(Reflect.get(Object(data), "testResult")), "testResults"));

/** What a test found, a line for each of its steps. */
export const testResultText = ({ title, message, details, testResults }: TestResult, style: Style): string =>
  [
    style.bold(printable(title)),
    ...[message, details].filter((text) => text !== "").map((text) => printable(text)),
    ...testResults.map((step) => stepText(step, style)),
  ].join("\n");

const stepText = ({ name, status, message, remedy, durationMs }: TestStep, style: Style): string => {
  const paint = { passed: style.green, warning: style.yellow, failed: style.red, skipped: style.dim }[status];
  const time = durationMs === undefined ? "" : ` (${Math.round(durationMs)} ms)`;
  const line = `${paint(status.padEnd(7))}  ${printable(`${name}: ${message}`)}${time}`;
  return remedy === undefined ? line : `${line}\n         ${printable(remedy)}`;
};
