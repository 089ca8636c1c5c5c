import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { CliFailure } from "./failure.ts";
import type { Screen } from "./output.ts";
import { createPrompts } from "./prompts.ts";
import { onStopSignal } from "./stop-signal.ts";

/** What a command sees of the world around it. */
export type Terminal = Screen & {
  /** Writes a file to standard output; `false` when nobody reads it any more. */
  outBytes(bytes: Uint8Array): boolean;
  isInputTerminal: boolean;
  /** Standard input as it arrives. */
  inputBytes(): AsyncIterable<Uint8Array>;
  /** All of standard input, up to its end. */
  readInput(): Promise<Uint8Array>;
  /** Asks for one line. Throws `CANCELLED` on Ctrl-C and at the end of input. */
  askLine(question: string): Promise<string>;
  /** Asks for one line that is not shown while it is typed. Throws as `askLine` does. */
  askSecret(question: string): Promise<string>;
  /**
   * Does long work whose signal is aborted by Ctrl-C or SIGTERM; the second time ends the process. However work that was
   * asked to end fails then, it is `CANCELLED`, told as `words`.
   */
  interruptible<T>(work: (ended: AbortSignal) => Promise<T>, words?: string): Promise<T>;
};

/** The terminal of this process. */
export const processTerminal = (env: Record<string, string | undefined>): Terminal => {
  const err = (text: string) => {
    writeAll(2, text);
  };
  return {
    env,
    out: (text) => writeAll(1, text),
    outBytes: (bytes) => writeAll(1, bytes),
    err,
    // The process's streams are made when they are first asked for, and a server asks for none.
    isOutputTerminal: isatty(1),
    // A terminal that was never told its size says 0.
    columns: () => process.stdout.columns || null,
    isErrorTerminal: isatty(2),
    isInputTerminal: isatty(0),
    inputBytes: () => Bun.stdin.stream(),
    readInput: () => Bun.stdin.bytes(),
    ...createPrompts(() => process.stdin, err),
    interruptible,
  };
};

const interruptible = async <T>(
  work: (ended: AbortSignal) => Promise<T>,
  words = "cancelled",
): Promise<T> => {
  const end = new AbortController();
  const leave = onStopSignal((exitCode) => end.abort(new CliFailure("CANCELLED", words, { exitCode })));
  try {
    return await work(end.signal);
  } catch (error) {
    // What the end of a part does to the others is of no interest to whoever wanted it.
    throw end.signal.aborted ? end.signal.reason : error;
  } finally {
    leave();
  }
};

/** Writes everything, also into a pipe whose reader is slow; `false` for a reader that has gone away and wants nothing more. */
const writeAll = (fd: number, content: string | Uint8Array): boolean => {
  let rest = typeof content === "string" ? Buffer.from(content) : content;
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
