import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addUserChanges } from "./user-changes.ts";
import { addUserCreateCommand } from "./user-create.ts";
import { addUserListCommand } from "./user-list.ts";
import { addUserShowCommand } from "./user-show.ts";

/** `user`: the accounts of the installation. */
export const addUserCommands = (program: Command, cli: Cli): void => {
  const group = program.command("user").summary("accounts").description("The accounts of the installation");
  addUserListCommand(group, cli);
  addUserShowCommand(group, cli);
  addUserCreateCommand(group, cli);
  addUserChanges(group, cli);
};
