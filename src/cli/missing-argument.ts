import type { CommanderError } from "commander";
import { CliFailure } from "./failure.ts";

/**
 * For a command's `exitOverride`: adds to the complaint about a missing argument what is expected. Commander itself names
 * the choices only of an argument that is there.
 */
export const missingArgument =
  (expected: string) =>
  (error: CommanderError): never => {
    if (error.code !== "commander.missingArgument") throw error;
    throw new CliFailure("USAGE", `${error.message.replace(/^error: /, "")}. ${expected}`);
  };
