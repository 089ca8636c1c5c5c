import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { addSnapshotListCommand } from "./snapshot-list.ts";
import { addSnapshotRestoreCommand } from "./snapshot-restore.ts";

/** `snapshot`: the copies that the embedded database makes of itself. */
export const addSnapshotCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "snapshots");
  addSnapshotListCommand(group, cli);
  addOperations(group, cli, "snapshots");
  addSnapshotRestoreCommand(group, cli);
};
