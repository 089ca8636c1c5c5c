import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addSettingsGetCommand } from "./settings-get.ts";
import { addSettingsHistoryCommand } from "./settings-history.ts";
import { addSettingsRevertCommand } from "./settings-revert.ts";
import { addSettingsSetCommand } from "./settings-set.ts";
import { addSettingsShowCommand } from "./settings-show.ts";
import { addSettingsTestCommand } from "./settings-test.ts";

/** `settings get|set|test|history|show|revert`: what admins set in the web area. */
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
  addSettingsHistoryCommand(group, cli);
  addSettingsShowCommand(group, cli);
  addSettingsRevertCommand(group, cli);
};
