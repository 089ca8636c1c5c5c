import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addSettingsGetCommand } from "./settings-get.ts";
import { addSettingsHistoryCommands } from "./settings-history.ts";
import { addSettingsSetCommand } from "./settings-set.ts";
import { addSettingsTestCommand } from "./settings-test.ts";

/** `settings get|set|test|history|revert`: what admins set in the web area. */
export const addSettingsCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("settings")
    .summary("limits, switches and external services")
    .description(
      "Limits, security switches and external services: what admins set in the web area. A change acts on every " +
        "replica within a second, without a restart.",
    );
  addSettingsGetCommand(group, cli);
  addSettingsSetCommand(group, cli);
  addSettingsTestCommand(group, cli);
  addSettingsHistoryCommands(group, cli);
};
