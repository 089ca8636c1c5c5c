import type { Command } from "commander";
import type { Cli } from "#cli/invocation.ts";
import { addSecretsNewKeyCommand } from "./secrets-new-key.ts";
import { addSecretsRotateCommand } from "./secrets-rotate.ts";
import { addSecretsStatusCommand } from "./secrets-status.ts";

/** `secrets`: the key under which stored secrets lie, and its change. */
export const addSecretsCommands = (program: Command, cli: Cli): void => {
  const group = program
    .command("secrets")
    .summary("the key of what is stored encrypted")
    .description(
      "The application's key, under which secrets, waiting mails and the log's seal lie, and its change",
    );
  addSecretsStatusCommand(group, cli);
  addSecretsRotateCommand(group, cli);
  addSecretsNewKeyCommand(group, cli);
};
