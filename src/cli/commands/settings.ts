import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { addSettingsSetCommand } from "./settings-set.ts";
import { addSettingsTestCommand } from "./settings-test.ts";

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
