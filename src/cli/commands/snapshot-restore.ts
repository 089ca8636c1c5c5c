import type { Command } from "commander";
import type { Composition } from "#cli/composition.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, type GlobalOptions, handler, refuseRemote } from "#cli/invocation.ts";
import { Planned, planOption } from "#cli/plan/planned.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { startIt, stopIt } from "#cli/server-words.ts";
import { isServerRunning } from "#cli/transport.ts";
import { nothingChanged } from "#cli/until-ended.ts";

/** `snapshot restore`: puts one in the database's place. */
export const addSnapshotRestoreCommand = (group: Command, cli: Cli): void => {
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
