import type { Command } from "commander";
import { openRunning } from "#cli/client.ts";
import type { Composition, SnapshotState } from "#cli/composition.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes, formatSecond } from "#cli/format.ts";
import { type Cli, type GlobalOptions, handler, refuseRemote } from "#cli/invocation.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { snapshotTexts } from "#contract/snapshot-texts.ts";

/** `snapshot list`: what there is, newest first. */
export const addSnapshotListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the snapshots")
    .description(
      "Lists the snapshots of the data folder, newest first, with size and, where one was made before an upgrade, the version " +
        "that was about to change the database. Nothing is opened for it, so it works whatever state the database is in.",
    )
    .addHelpText("after", examples(["See what there is", "atrium snapshot list"]))
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
