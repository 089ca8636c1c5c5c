import { Argument, type Command } from "commander";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure, exitCodes } from "#cli/failure.ts";
import { type Cli, examples, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { missingArgument } from "#cli/operations/typed-values.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import type { TestResult, TestStep } from "#contract/settings.ts";
import { addSettingsSetCommand } from "./settings-set.ts";

/** `settings get|set|test|history|show|revert`: what admins set in the web area. */
export const addSettingsCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "settings");
  addOperations(group, cli, "settings", {
    get: () => {
      addSettingsSetCommand(group, cli);
      addSettingsTestCommand(group, cli);
    },
  });
};

const subjects = ["redis", "r2", "rate-limit", "mail"] as const;
type Subject = (typeof subjects)[number];
type TestOptions = { to?: string };

/** `settings test`: tries what is saved, for real. */
const addSettingsTestCommand = (group: Command, cli: Cli): void => {
  group
    .command("test")
    .addArgument(new Argument("<service>", "what to test").choices(subjects))
    .exitOverride(missingArgument(`Allowed choices are ${subjects.join(", ")}.`))
    .summary("test a configured service")
    .description(
      "Tests the saved settings for real and shows each step: redis connects, signs in, writes and reads; r2 writes, reads " +
        "and deletes a test object; rate-limit sends a burst of requests through the limiter; mail sends a test email.",
    )
    .option("--to <address>", "who receives the test email")
    .addHelpText(
      "after",
      examples(
        ["Redis", "atrium settings test redis"],
        ["Send an email to yourself", "atrium settings test mail --to ada@example.com"],
        ["In a script: exit code 1 if the test fails", "atrium settings test r2 --json > result.json"],
      ),
    )
    .action(
      handler<TestOptions>(cli, async (invocation, { to }) => {
        const subject = subjects.find((known) => known === invocation.args[0]) ?? "redis";
        if (to !== undefined && subject !== "mail")
          throw new CliFailure("USAGE", "--to can only be used to test emails");
        if (to === undefined && subject === "mail")
          throw new CliFailure("USAGE", "give the recipient of the test email: --to <address>");
        const answer = await withClient(invocation, (client) =>
          duringStep(createProgress(invocation.terminal), `testing ${subject}`, () =>
            test(client, subject, to ?? ""),
          ),
        ).catch((error: unknown) => showFailed(invocation, error));
        invocation.output.result(answer, ({ testResult }, style) => resultText(testResult, style));
      }),
    );
};

const test = async (client: Client, subject: Subject, to: string): Promise<{ testResult: TestResult }> => {
  const { mail, settings } = operationsOf(client);
  if (subject === "redis") return (await settings.testRedis({})).data;
  if (subject === "r2") return (await settings.testStorage({})).data;
  if (subject === "mail") return (await mail.test({ to })).data;
  return (await settings.testRateLimit()).data;
};

/** A test that came to its end is a result, whatever it found; the command fails all the same. */
const showFailed = (invocation: Invocation, error: unknown): never => {
  if (error instanceof CliFailure && isOutcome(error.data))
    invocation.output.result(error.data, ({ testResult }, style) => resultText(testResult, style));
  // What is tested is what was saved: a value that is missing there is no wrong usage.
  if (error instanceof CliFailure && error.kind === "VALIDATION_FAILED")
    throw new CliFailure(error.kind, error.message, { ...error, exitCode: exitCodes.failed });
  throw error;
};

const isOutcome = (data: unknown): data is { testResult: TestResult } =>
  Array.isArray(Reflect.get(Object(Reflect.get(Object(data), "testResult")), "testResults"));

const resultText = ({ title, message, details, testResults }: TestResult, style: Style): string =>
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
