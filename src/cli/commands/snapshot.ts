import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addSnapshotCreateCommand } from "./snapshot-create.ts";
import { addSnapshotListCommand } from "./snapshot-list.ts";
import { addSnapshotRestoreCommand } from "./snapshot-restore.ts";

/** `snapshot`: the copies that the embedded database makes of itself. */
export const addSnapshotCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("snapshot")
    .summary("copies of the embedded database")
    .description(
      "The copies that the embedded database makes of itself in the data folder: every 15 minutes in which something was " +
        "written, and before a new version changes it. They help against a spoilt database, not against a lost disk: that is " +
        "what backups are for",
    );
  addSnapshotListCommand(group, cli);
  addSnapshotCreateCommand(group, cli);
  addSnapshotRestoreCommand(group, cli);
};
