import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import {
  addPluginCreateCommand,
  addPluginKeygenCommand,
  addPluginPackCommand,
  addPluginSignCommand,
  addPluginVerifyCommand,
} from "./plugin-author.ts";
import { addPluginDevCommand } from "./plugin-dev.ts";
import { addPluginInstallCommand } from "./plugin-install.ts";
import { addPluginLogsCommand } from "./plugin-logs.ts";

/** `plugin`: what is installed, and the author's tools. */
export const addPluginCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "plugins");
  addOperations(group, cli, "plugins", { info: addPluginInstallCommand, download: addPluginLogsCommand });
  addPluginCreateCommand(group, cli);
  addPluginDevCommand(group, cli);
  addPluginPackCommand(group, cli);
  addPluginSignCommand(group, cli);
  addPluginVerifyCommand(group, cli);
  addPluginKeygenCommand(group, cli);
};
