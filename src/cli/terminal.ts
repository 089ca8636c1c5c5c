import { writeSync } from "node:fs";
import { CliFailure } from "./failure.ts";
import { createPrompts } from "./prompts.ts";
import { onStopSignal } from "./stop-signal.ts";

/** What a command sees of the world around it. */
export type Terminal = {
  env: Record<string, string | undefined>;
  /** Writes results to standard output; `false` when nobody reads it any more. */
  out(text: string): boolean;
  /** Writes everything else to standard error. */
  err(text: string): void;
  isOutputTerminal: boolean;
  /** How many columns a line of standard output has; `null` where that is no terminal or does not tell. */
  columns: number | null;
  isErrorTerminal: boolean;
  isInputTerminal: boolean;
  /** All of standard input, up to its end. */
  readInput(): Promise<Uint8Array>;
  /** Asks for one line. Throws `CANCELLED` on Ctrl-C and at the end of input. */
  askLine(question: string): Promise<string>;
  /** Asks for one line that is not shown while it is typed. Throws as `askLine` does. */
  askSecret(question: string): Promise<string>;
  /** Does long work whose signal is aborted with `CANCELLED` by Ctrl-C or SIGTERM; the second time ends the process. */
  interruptible<T>(work: (ended: AbortSignal) => Promise<T>): Promise<T>;
};

/** The terminal of this process. */
export const processTerminal = (env: Record<string, string | undefined>): Terminal => {
  const err = (text: string) => {
    writeAll(2, text);
  };
  return {
    env,
    out: (text) => writeAll(1, text),
    err,
    isOutputTerminal: process.stdout.isTTY === true,
    // A terminal that was never told its size says 0.
    columns: process.stdout.columns || null,
    isErrorTerminal: process.stderr.isTTY === true,
    isInputTerminal: process.stdin.isTTY === true,
    readInput: () => Bun.stdin.bytes(),
    ...createPrompts(process.stdin, err),
    interruptible,
  };
};

const interruptible = async <T>(work: (ended: AbortSignal) => Promise<T>): Promise<T> => {
  const end = new AbortController();
  const leave = onStopSignal(() => end.abort(new CliFailure("CANCELLED", "cancelled")));
  try {
    return await work(end.signal);
  } finally {
    leave();
  }
};

/** Writes everything, also into a pipe whose reader is slow; `false` for a reader that has gone away and wants nothing more. */
const writeAll = (fd: number, text: string): boolean => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const code: unknown = Reflect.get(Object(error), "code");
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
    }
  }
  return true;
};
