import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addPluginChanges } from "./plugin-changes.ts";
import { addPluginCreateCommand } from "./plugin-create.ts";
import { addPluginDevCommand } from "./plugin-dev.ts";
import { addPluginDownloadCommand } from "./plugin-download.ts";
import { addPluginInfoCommand } from "./plugin-info.ts";
import { addPluginInstallCommand } from "./plugin-install.ts";
import { addPluginKeygenCommand } from "./plugin-keygen.ts";
import { addPluginKeysCommands } from "./plugin-keys.ts";
import { addPluginListCommand } from "./plugin-list.ts";
import { addPluginLogsCommand } from "./plugin-logs.ts";
import { addPluginPackCommand } from "./plugin-pack.ts";
import { addPluginSettingsCommands } from "./plugin-settings.ts";
import { addPluginSignCommand } from "./plugin-sign.ts";
import { addPluginVerifyCommand } from "./plugin-verify.ts";

/** `plugin`: what is installed, and the author's tools. */
export const addPluginCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("plugin")
    .summary("plugins")
    .description("The plugins of the installation, and the tools of those who write plugins");
  addPluginListCommand(group, cli);
  addPluginInfoCommand(group, cli);
  addPluginInstallCommand(group, cli);
  addPluginChanges(group, cli);
  addPluginDownloadCommand(group, cli);
  addPluginLogsCommand(group, cli);
  addPluginSettingsCommands(group, cli);
  addPluginKeysCommands(group, cli);
  addPluginCreateCommand(group, cli);
  addPluginDevCommand(group, cli);
  addPluginPackCommand(group, cli);
  addPluginSignCommand(group, cli);
  addPluginVerifyCommand(group, cli);
  addPluginKeygenCommand(group, cli);
};
