import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addContactExportCommand } from "./contact-export.ts";
import { addContactListCommand } from "./contact-list.ts";
import { addContactMessageCommands } from "./contact-message.ts";

/** `contact`: what visitors wrote through the contact form. */
export const addContactCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("contact")
    .summary("messages of the contact form")
    .description("The messages that visitors wrote through the contact form");
  addContactListCommand(group, cli);
  addContactMessageCommands(group, cli);
  addContactExportCommand(group, cli);
};
