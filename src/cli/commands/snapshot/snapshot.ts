import type { Command } from "commander";
import { openRunning, operationsOf } from "#cli/client/client.ts";
import { isServerRunning } from "#cli/client/transport.ts";
import type { Composition, SnapshotState } from "#cli/composition.ts";
import { CliFailure, startIt, stopIt } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, handler, refuseRemote } from "#cli/invocation.ts";
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
      "Lists the snapshots of the data folder, newest first, with size and, where one was made before an upgrade, the version " +
        "that was about to change the database. Nothing is opened for it, so it works whatever state the database is in.",
    )
    .addHelpText("after", examples(["List all snapshots", "atrium snapshot list"]))
    .action(
      handler<GlobalOptions>(cli, async ({ composition, terminal, output }, options) => {
        refuseRemote(options, "snapshot list");
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
  "There are no snapshots. A server with the embedded database makes one every 15 minutes in which something was written.\n" +
  "Make one now with: atrium snapshot create";

const columns: Column<SnapshotState>[] = [
  { heading: "NAME", cell: ({ name }) => name, least: whole },
  { heading: "MADE AT", cell: ({ madeAt }) => formatSecond(madeAt), least: whole, isSpare: true },
  { heading: "SIZE", cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { heading: "BEFORE", cell: ({ before }) => before ?? "" },
];

/** `snapshot restore`: puts one in the database's place. */
const addSnapshotRestoreCommand = (group: Command, cli: Cli): void => {
  group
    .command("restore")
    .summary("go back to a snapshot")
    .argument("<name>", "the snapshot, as `snapshot list` names it")
    .description(
      "Puts a snapshot in the place of the embedded database; what was written since is not in it. The former database is never " +
        "deleted: it is kept beside it in a folder whose name begins with database.replaced. The server must be stopped; while " +
        "one runs, the command ends with 75. Asks first.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["Go back", "atrium snapshot restore 2026-11-21T14-30-00Z --yes"]))
    .action(
      handler<GlobalOptions>(
        cli,
        async ({ composition, terminal, output, args, confirm, isPlan }, options) => {
          refuseRemote(options, "snapshot restore");
          const [name = ""] = args;
          if (isPlan) throw await planOf(composition, name);
          await confirm(
            async () =>
              `Put the snapshot ${name} in the place of the database in ${composition.dataDir}? What was written since will be missing.`,
          );
          const progress = createProgress(terminal);
          const result = await terminal.interruptible(
            (ended) =>
              duringStep(progress, "putting the snapshot in its place", () =>
                composition.restoreSnapshot(name, ended),
              ),
            nothingChanged,
          );
          output.result(result, ({ restored, replaced }) =>
            [
              `Restored snapshot ${restored} into ${composition.dataDir}; start the server with: ${startIt}`,
              ...(replaced === null ? [] : [`The former database is kept in ${replaced}`]),
            ].join("\n"),
          );
        },
      ),
    );
};

const planOf = async (composition: Composition, name: string): Promise<Planned> => {
  if (!(await composition.listSnapshots()).some((snapshot) => snapshot.name === name))
    throw new CliFailure("SNAPSHOT_UNFIT", `there is no snapshot ${name}; see: atrium snapshot list`);
  if (await isServerRunning(composition.controlSocket))
    throw new CliFailure("DATA_DIR_IN_USE", `a server runs on ${composition.dataDir}; ${stopIt}`);
  return new Planned({
    words: `Would put the snapshot ${name} in the place of the database in ${composition.dataDir}, and keep that one beside it`,
    call: null,
  });
};
