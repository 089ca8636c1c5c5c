import { CommanderError } from "commander";
import { exitCodes } from "./failure.ts";
import type { Cli } from "./invocation.ts";
import { reportFailure } from "./output.ts";
import { createProgram } from "./program.ts";
import { toFailure } from "./to-failure.ts";

/** Runs one command line, without the program's own name, and resolves to its exit code; never rejects. */
export const runCli = async (argv: readonly string[], cli: Cli, version: string): Promise<number> => {
  const isJson = argv.includes("--json");
  const program = createProgram(cli, version, isJson);
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    // Help and version end the parsing with an error whose exit code is 0.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return reportFailure(cli.terminal, toFailure(error, program.args[0]), {
      isJson,
      isServe: program.args[0] === "serve",
    });
  }
};
