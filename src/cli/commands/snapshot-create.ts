import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, type GlobalOptions, handler, refuseRemote, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { untilEnded } from "#cli/until-ended.ts";

/** `snapshot create`: makes one now. */
export const addSnapshotCreateCommand = (group: Command, cli: Cli): void => {
  group
    .command("create")
    .summary("make a snapshot now")
    .description(
      "Makes a snapshot now, with or without a running server, which goes on serving meanwhile. As always the newest eight are " +
        "kept. With PostgreSQL there are none: use atrium backup.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["Before something daring", "atrium snapshot create"]))
    .action(
      handler<GlobalOptions>(cli, async (invocation, options) => {
        refuseRemote(options, "snapshot create");
        const { terminal, output } = invocation;
        const progress = createProgress(terminal);
        const made = await terminal.interruptible((ended) =>
          withClient(invocation, (client) => {
            const making = client.call("POST /api/system/snapshots", { timeoutMs: null });
            const until = () => untilEnded(making, ended);
            return duringStep(progress, "making the snapshot", until).catch((error) => {
              // One in this process ends with it.
              making.catch(() => {});
              if (ended.aborted && client.isServer) output.note("the server goes on making the snapshot");
              throw error;
            });
          }),
        );
        output.result(made, ({ name, sizeBytes }) => `Made snapshot ${name} (${formatBytes(sizeBytes)})`);
      }),
    );
};
