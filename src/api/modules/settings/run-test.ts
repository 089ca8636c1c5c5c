import { idOfActor, requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { ConnectionReport } from "#api/core/settings.ts";
import type { TestResult } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { asTestResult, type TestTitles } from "./as-test-result.ts";

/** A test that an admin asks for. `action` is how it stands in the log. */
export type IntendedTest = {
  action: string;
  titles: TestTitles;
  test(): Promise<ConnectionReport>;
};

// By the tests of a process: each admin has one at a time, so that nobody can turn them into a storm.
const running = new WeakMap<object, Set<string>>();

/**
 * Runs one test of an external service and answers with what it found. It leaves a row in the log, whichever way it went.
 * For admins and the operator; an API token is not told why it failed. Throws `CONFLICT` while a test of the same person is running, and `TEST_FAILED`, with the
 * result, when it did not work.
 */
export const runTest = async (
  ctx: Context,
  { action, titles, test }: IntendedTest,
): Promise<{ message: string; data: { testResult: TestResult } }> => {
  requireAdmin(ctx);
  const report = await oneAtATime(ctx, test);
  const testResult = asTestResult(ctx.actor.kind === "token" ? withoutCause(report) : report, titles);
  const entry = {
    type: "admin_action" as const,
    action,
    description: testResult.message,
    status: report.isWorking ? ("success" as const) : ("failure" as const),
  };
  await adminAction(ctx, entry, async () => {});
  const message = testResult.message === "" ? testResult.title : testResult.message;
  if (!report.isWorking) throw new AppError("TEST_FAILED", message, { data: { testResult } });
  return { message, data: { testResult } };
};

/** A failure as API tokens learn of it: why it failed would tell them what lies in the server's network. */
const withoutCause = (report: ConnectionReport): ConnectionReport =>
  report.isWorking ? report : { ...report, summary: settingsTexts.causeWithheld, details: "", steps: [] };

const oneAtATime = async <T>(ctx: Context, work: () => Promise<T>): Promise<T> => {
  const people = running.get(ctx.connectionTests) ?? new Set();
  running.set(ctx.connectionTests, people);
  const who = idOfActor(ctx.actor);
  if (people.has(who)) throw new AppError("CONFLICT", settingsTexts.testRunning);
  people.add(who);
  try {
    return await work();
  } finally {
    people.delete(who);
  }
};
