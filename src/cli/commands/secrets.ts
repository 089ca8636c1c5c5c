import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { addSecretsNewKeyCommand } from "./secrets-new-key.ts";
import { addSecretsRotateCommand } from "./secrets-rotate.ts";

/** `secrets`: the key under which stored secrets lie, and its change. */
export const addSecretsCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "secrets");
  addOperations(group, cli, "secrets");
  addSecretsRotateCommand(group, cli);
  addSecretsNewKeyCommand(group, cli);
};
