import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addTokenChanges } from "./token-changes.ts";
import { addTokenCreateCommand } from "./token-create.ts";
import { addTokenListCommand } from "./token-list.ts";
import { addTokenShowCommand } from "./token-show.ts";

/** `token`: what scripts call the API with. */
export const addTokenCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("token")
    .summary("API tokens for scripts and pipelines")
    .description("API tokens: what scripts, pipelines and assistants call the API with");
  addTokenCreateCommand(group, cli);
  addTokenListCommand(group, cli);
  addTokenShowCommand(group, cli);
  addTokenChanges(group, cli);
};
