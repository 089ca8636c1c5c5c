import { type Command, CommanderError } from "commander";
import { CliFailure, exitCodes, stopIt, toFailure } from "./failure.ts";
import type { Cli } from "./invocation.ts";
import type { AskedWord } from "./plugin-words/add-plugin-words.ts";
import { reportFailure } from "./terminal/output.ts";

/** Runs one command line, without the program's own name, and resolves to its exit code; never rejects. */
export const runCli = async (argv: readonly string[], cli: Cli, version: string): Promise<number> => {
  const isJson = argv.includes("--json");
  const { program, addWords } =
    argv[0] === "serve" ? await onlyServe(cli, version, isJson) : await allCommands(cli, version, isJson);
  let asked: AskedWord | null = null;
  try {
    asked = await addWords(argv);
    await program.parseAsync(argv, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    // Help and version end the parsing with an error whose exit code is 0.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return reportFailure(cli.terminal, withRemedy(withReason(error, asked, program.args[0]), error), {
      isJson,
      isServe:
        program.args[0] === "serve" ||
        program.args[0] === "restore" ||
        program.args[1] === "embedded-to-postgres" ||
        program.args.slice(0, 2).join(" ") === "snapshot restore",
    });
  } finally {
    await asked?.close();
  }
};

type CommandLine = { program: Command; addWords(argv: readonly string[]): Promise<AskedWord | null> };

const allCommands = async (cli: Cli, version: string, isJson: boolean): Promise<CommandLine> => {
  const [{ createProgram }, { addPluginWords }] = await Promise.all([
    import("./program.ts"),
    import("./plugin-words/add-plugin-words.ts"),
  ]);
  const program = createProgram(cli, version, isJson);
  return { program, addWords: (argv) => addPluginWords(program, cli, argv) };
};

/** A server is to start soon: it does not wait for the other commands, nor for what plugins add to them. */
const onlyServe = async (cli: Cli, version: string, isJson: boolean): Promise<CommandLine> => {
  const [{ createRoot }, { addServeCommand }] = await Promise.all([
    import("./create-root.ts"),
    import("./commands/serve.ts"),
  ]);
  const program = createRoot(cli, version, isJson);
  addServeCommand(program, cli);
  return { program, addWords: async () => null };
};

/** An unknown word may belong to a plugin that could not be looked up. */
const withReason = (error: unknown, asked: AskedWord | null, group: string | undefined): CliFailure => {
  const failure = toFailure(error, group);
  const isUnknown = error instanceof CommanderError && error.code === "commander.unknownCommand";
  if (!isUnknown || !asked?.reason) return failure;
  return new CliFailure(
    failure.kind,
    `${failure.message}\nCould not check whether a plugin has this command: ${asked.reason}`,
    { cause: error },
  );
};

/** Who finds the data folder taken reads what to do; commands that waited for a server have said so in words of their own. */
const withRemedy = (failure: CliFailure, error: unknown): CliFailure => {
  if (failure.kind !== "DATA_DIR_IN_USE" || error instanceof CliFailure) return failure;
  return new CliFailure(failure.kind, `${failure.message}\n${inUseRemedy}`, { cause: error });
};

const inUseRemedy =
  `Only one process at a time can use a data folder. If it is a server, ${stopIt}. ` +
  "If it is another command, try again when it has ended. For another installation, use another folder: --data-dir.";
