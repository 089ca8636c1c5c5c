import type { Command } from "commander";
import { openRunning, operationsOf } from "#cli/client/client.ts";
import { isServerRunning } from "#cli/client/transport.ts";
import type { Composition, SnapshotState } from "#cli/composition.ts";
import { CliFailure, startIt, stopIt } from "#cli/failure.ts";
import { type Cli, examples, localHandler } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { Planned, planOption } from "#cli/planned.ts";
import { formatBytes, formatSecond } from "#cli/terminal/format.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { nothingChanged } from "#cli/terminal/stop-signal.ts";
import { type Column, formatTable, whole } from "#cli/terminal/table.ts";
import { snapshotTexts } from "#contract/backup-texts.ts";

/** `snapshot`: the copies that the embedded database makes of itself. */
export const addSnapshotCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "snapshots");
  addSnapshotListCommand(group, cli);
  addOperations(group, cli, "snapshots");
  addSnapshotRestoreCommand(group, cli);
};

/** `snapshot list`: what there is, newest first. */
const addSnapshotListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the snapshots")
    .description(
      "Lists the snapshots in the data folder, newest first, with size and, for those created before an upgrade, the version " +
        "that was about to change the database. It does not open the database, so it works even if that is damaged.",
    )
    .addHelpText("after", examples(["List all snapshots", "atrium snapshot list"]))
    .action(
      localHandler(cli, async ({ composition, terminal, output }) => {
        const snapshots = await composition.listSnapshots();
        const none = snapshots.length > 0 || output.isJson ? "" : await noneText(composition);
        output.result({ snapshots }, ({ snapshots: rows }, style) =>
          rows.length === 0 && style.isTerminal ? none : formatTable(columns, rows, style),
        );
        if (none !== "" && !terminal.isOutputTerminal) output.note(none);
      }),
    );
};

const noneText = async (composition: Composition): Promise<string> =>
  (await usesPostgres(composition)) ? `There are no snapshots. ${snapshotTexts.onlyEmbedded}` : noneYet;

/** By the word of the server that runs here, which may have another environment; without one by this one's. */
const usesPostgres = async (composition: Composition): Promise<boolean> => {
  try {
    const client = await openRunning(composition, null);
    if (client === null) return composition.config().databaseUrl !== null;
    return (await operationsOf(client).system.info()).data.database.kind === "postgres";
  } catch (error) {
    // Only a server of others is waited for.
    if (error instanceof CliFailure && error.kind === "STARTING")
      return composition.config().databaseUrl !== null;
    // What else keeps this from being found out says nothing about snapshots.
    return false;
  }
};

const noneYet =
  "There are no snapshots. A server with the embedded database creates one every 15 minutes if something was written.\n" +
  "Create one now: atrium snapshot create";

const columns: Column<SnapshotState>[] = [
  { heading: "NAME", cell: ({ name }) => name, least: whole },
  { heading: "CREATED AT", cell: ({ madeAt }) => formatSecond(madeAt), least: whole, isSpare: true },
  { heading: "SIZE", cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { heading: "BEFORE", cell: ({ before }) => before ?? "" },
];

/** `snapshot restore`: puts one in the database's place. */
const addSnapshotRestoreCommand = (group: Command, cli: Cli): void => {
  group
    .command("restore")
    .summary("restore a snapshot")
    .argument("<name>", "the snapshot's name from `snapshot list`")
    .description(
      "Replaces the embedded database with a snapshot; later changes are not in it. The previous database is never " +
        "deleted: it is kept in a folder whose name starts with database.replaced. The server must be stopped; while " +
        "it runs, the command ends with 75. Asks first.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["Restore one", "atrium snapshot restore 2026-11-21T14-30-00Z --yes"]))
    .action(
      localHandler(cli, async ({ composition, terminal, output, args, confirm, isPlan }) => {
        const [name = ""] = args;
        if (isPlan) throw await planOf(composition, name);
        await confirm(
          async () =>
            `Replace the database in ${composition.dataDir} with the snapshot ${name}? Later changes will be missing.`,
        );
        const progress = createProgress(terminal);
        const result = await terminal.interruptible(
          (ended) =>
            duringStep(progress, "restoring the snapshot", () => composition.restoreSnapshot(name, ended)),
          nothingChanged,
        );
        output.result(result, ({ restored, replaced }) =>
          [
            `Restored snapshot ${restored} into ${composition.dataDir}; start the server: ${startIt}`,
            ...(replaced === null ? [] : [`The previous database is kept in ${replaced}`]),
          ].join("\n"),
        );
      }),
    );
};

const planOf = async (composition: Composition, name: string): Promise<Planned> => {
  if (!(await composition.listSnapshots()).some((snapshot) => snapshot.name === name))
    throw new CliFailure("SNAPSHOT_UNFIT", `snapshot not found: ${name}; see: atrium snapshot list`);
  if (await isServerRunning(composition.controlSocket))
    throw new CliFailure("DATA_DIR_IN_USE", `a server is running on ${composition.dataDir}; ${stopIt}`);
  return new Planned({
    words: `Would replace the database in ${composition.dataDir} with the snapshot ${name}, and keep the previous one`,
    call: null,
  });
};
