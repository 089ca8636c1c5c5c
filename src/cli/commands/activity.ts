import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addActivityCleanupCommand } from "./activity-cleanup.ts";
import { addActivityDaysCommand } from "./activity-days.ts";
import { addActivityExportCommand } from "./activity-export.ts";
import { addActivityListCommand } from "./activity-list.ts";
import { addActivityRetentionCommands } from "./activity-retention.ts";
import { addActivityShowCommand } from "./activity-show.ts";
import { addActivityStatsCommand } from "./activity-stats.ts";
import { addActivityTailCommand } from "./activity-tail.ts";
import { addActivityVerifyCommand } from "./activity-verify.ts";

/** `activity`: what was done in the installation, by whom, with which outcome. */
export const addActivityCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("activity")
    .summary("activity log")
    .description("The log of what was done in the installation, by whom and with which outcome");
  addActivityListCommand(group, cli);
  addActivityShowCommand(group, cli);
  addActivityTailCommand(group, cli);
  addActivityStatsCommand(group, cli);
  addActivityDaysCommand(group, cli);
  addActivityExportCommand(group, cli);
  addActivityVerifyCommand(group, cli);
  addActivityRetentionCommands(group, cli);
  addActivityCleanupCommand(group, cli);
};
