import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addMailChangeCommands } from "./mail-changes.ts";
import { addMailListCommand } from "./mail-list.ts";
import { addMailStatusCommands } from "./mail-status.ts";

/** `mail`: the outbox. */
export const addMailCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("mail")
    .summary("outgoing mails")
    .description("The outbox: mails that wait, left or were given up. Their texts and links are never shown");
  addMailStatusCommands(group, cli);
  addMailListCommand(group, cli);
  addMailChangeCommands(group, cli);
};
