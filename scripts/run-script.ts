/** Ends a script with its message and exit code: 1 for what failed, 2 for wrong usage. */
export class ScriptFailure extends Error {
  readonly exitCode: 1 | 2;
  /** As in the error envelope of the command line. */
  readonly code: "FAILED" | "USAGE";

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = "ScriptFailure";
    this.exitCode = exitCode;
    this.code = exitCode === 2 ? "USAGE" : "FAILED";
  }
}

/**
 * Runs a script's `main`, or with `--help` prints its usage. Tells what a {@link ScriptFailure} says: as the command line does, with
 * `--json` as an envelope.
 */
export const runScript = async (usage: string, main: () => Promise<void> | void): Promise<void> => {
  if (process.argv.includes("--help")) {
    console.log(usage);
    return;
  }
  try {
    await main();
  } catch (error) {
    const failure = toFailure(error);
    const { code, message } = failure;
    const isJson = process.argv.includes("--json");
    console.error(isJson ? JSON.stringify({ success: false, code, message }, null, 2) : `error: ${message}`);
    process.exit(failure.exitCode);
  }
};

const toFailure = (error: unknown): ScriptFailure => {
  if (error instanceof ScriptFailure) return error;
  // What `parseArgs` throws for options that there are not.
  if (error instanceof TypeError && String(Reflect.get(error, "code")).startsWith("ERR_PARSE_ARGS"))
    return new ScriptFailure(error.message, 2);
  throw error;
};
