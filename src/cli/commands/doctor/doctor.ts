import type { Command } from "commander";
import type { ConfigRow } from "#api/config/describe-config.ts";
import type { Composition } from "#cli/composition.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, handler, refuseRemote } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { type Column, formatTable, whole } from "#cli/terminal/table.ts";
import type { Check } from "./checks.ts";
import { runChecks } from "./run-checks.ts";

/** What `doctor` found: the effective configuration with secrets masked, and the checks in the order they were made. */
type Diagnosis = { config: DiagnosedRow[]; checks: Check[] };
type DiagnosedRow = Omit<ConfigRow, "source"> & { source: ConfigRow["source"] | "--data-dir" };

/** `doctor`: shows the effective configuration and looks for what is wrong. */
export const addDoctorCommand = (program: Command, cli: Cli): void => {
  program
    .command("doctor")
    .summary("find problems of the installation")
    .description(
      "Shows the effective configuration with secrets masked, and checks the data folder, disk, leftovers, lock, clock, key, " +
        "snapshots, backups, database, Redis, object storage, visitors' IP addresses, mail server and public " +
        "URL. It changes nothing. Ends with 1 if a check fails, but not for warnings.",
    )
    .addHelpText(
      "after",
      examples(
        ["Check this installation", "atrium doctor"],
        ["Check another data folder", "atrium doctor --data-dir /var/lib/atrium"],
        ["Failed checks, for a script", "atrium doctor --json | jq '.checks[] | select(.state == \"fail\")'"],
      ),
    )
    .action(
      handler<GlobalOptions>(
        cli,
        async ({ composition, output, terminal }, options) => {
          refuseRemote(options, "doctor");
          const checks = await duringStep(createProgress(terminal), "checking the installation", () =>
            runChecks(composition),
          );
          const diagnosis = { config: configOf(composition, options.dataDir), checks };
          output.result(diagnosis, diagnosisText);
          const failed = diagnosis.checks.filter(({ state }) => state === "fail").length;
          if (failed > 0)
            throw new CliFailure(
              "CHECKS_FAILED",
              failed === 1 ? "1 check failed" : `${failed} checks failed`,
            );
        },
        { isDiagnosis: true },
      ),
    );
};

/** The data folder is shown as it is found, wherever the command is run. */
const configOf = (composition: Composition, given: string | undefined): DiagnosedRow[] =>
  composition.describeConfig().map((row) => {
    if (row.variable !== "DATA_DIR") return row;
    return { ...row, value: composition.dataDir, source: given ? "--data-dir" : row.source };
  });

const diagnosisText = ({ config, checks }: Diagnosis, style: Style): string =>
  [
    style.bold("Configuration"),
    formatTable(configColumns(style), config, style),
    "",
    style.bold("Checks"),
    ...checks.flatMap((check) => checkLines(check, style)),
  ].join("\n");

const configColumns = (style: Style): Column<DiagnosedRow>[] => [
  { heading: "VARIABLE", cell: ({ variable }) => variable, least: whole },
  {
    heading: "VALUE",
    // What is wrong with it stands at its end.
    isWrapped: true,
    least: 16,
    cell: ({ value, problem }) => (problem === null ? value : `${value} (expected ${problem})`),
    paint: (text, { problem }) => (problem === null ? text : style.red(text)),
  },
  { heading: "FROM", cell: ({ source }) => source, least: whole },
];

const checkLines = ({ name, state, detail, remedy }: Check, style: Style): string[] => {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red }[state];
  const line = `${paint(state.padEnd(4))}  ${name}: ${printable(detail)}`;
  return remedy === null ? [line] : [line, `      ${printable(remedy)}`];
};
