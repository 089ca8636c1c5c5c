import { writeSync } from "node:fs";
import { isatty, type ReadStream } from "node:tty";
import { CliFailure, usage } from "#cli/failure.ts";
import { printable, type Screen } from "./output.ts";
import { onStopSignal } from "./stop-signal.ts";

/** What a command sees of the world around it. */
export type Terminal = Screen & {
  /** Writes a file to standard output; `false` when its reader has gone. */
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

const interruptible = async <T>(work: (ended: AbortSignal) => Promise<T>, words = "canceled"): Promise<T> => {
  const end = new AbortController();
  const leave = onStopSignal((exitCode) => end.abort(new CliFailure("CANCELLED", words, { exitCode })));
  try {
    return await work(end.signal);
  } catch (error) {
    // How the end of a part affects the others doesn't matter to the caller.
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

const keys = {
  enter: "\r\n",
  cancel: "\u0003",
  end: "\u0004",
  erase: "\b\u007f",
  clear: "\u0015",
};

/** Asks a question and gives the line that was typed. */
type Prompt = (question: string) => Promise<string>;

/**
 * Asks for lines: `askLine` shows what is typed, `askSecret` does not; `write` shows the questions. What is typed ahead
 * of a question answers the next one. `openInput` is called at each question. Ctrl-U clears the line; Ctrl-C, and Ctrl-D on an
 * empty line, throw `CANCELLED`.
 */
const createPrompts = (
  openInput: () => ReadStream,
  write: (text: string) => void,
): { askLine: Prompt; askSecret: Prompt } => {
  let ahead: string[] = [];
  const ask =
    (isShown: boolean): Prompt =>
    async (question) => {
      const input = openInput();
      // First of all: a secret typed as soon as the question appears must not be shown either.
      input.setRawMode(true);
      const show = (typed: readonly string[]) => {
        if (isShown) write(`${backToStart}${question}: ${printable(typed.join(""))}`);
      };
      write(`${question}: `);
      try {
        const { line, rest } = await readLine(input, ahead, show);
        ahead = rest;
        return line;
      } finally {
        input.setRawMode(false);
        input.pause();
        write("\n");
      }
    };
  return { askLine: ask(true), askSecret: ask(false) };
};

// Carriage return, and "erase to the end of the line" (ECMA-48 §8.3.41).
const backToStart = "\r\u001b[K";

type Line = { line: string; rest: string[] };

const readLine = (
  input: ReadStream,
  ahead: string[],
  show: (typed: readonly string[]) => void,
): Promise<Line> =>
  new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    let typed: string[] = [];
    const finish = (end: () => void) => {
      input.off("data", onData);
      input.off("end", onEnd);
      end();
    };
    const cancel = () => finish(() => reject(new CliFailure("CANCELLED", "canceled; nothing was changed")));
    const take = (characters: string[]) => {
      for (const [at, character] of characters.entries()) {
        if (keys.enter.includes(character)) {
          show(typed);
          return finish(() => resolve({ line: typed.join(""), rest: characters.slice(at + 1) }));
        }
        if (character === keys.cancel || (character === keys.end && typed.length === 0)) return cancel();
        typed = edited(typed, character);
      }
      if (characters.length > 0) show(typed);
    };
    const onData = (chunk: Buffer | string) =>
      take([...(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))]);
    const onEnd = () => cancel();
    input.on("data", onData);
    input.on("end", onEnd);
    input.resume();
    take(ahead);
  });

const edited = (typed: string[], character: string): string[] => {
  if (keys.erase.includes(character)) return typed.slice(0, -1);
  if (character === keys.clear) return [];
  return character < " " ? typed : [...typed, character];
};

/** The question was answered with no. */
export class Declined extends CliFailure {}

/**
 * Asks before something that cannot be taken back; `question` is only computed when there is a terminal. With
 * `--yes` nothing is asked. Throws `USAGE` without a terminal, and {@link Declined} (`CANCELLED`) for any answer but y or yes.
 */
export const confirm = async (
  terminal: Terminal,
  { isAnswered, question }: { isAnswered: boolean; question: () => Promise<string> },
): Promise<void> => {
  if (isAnswered) return;
  if (!terminal.isInputTerminal) {
    throw usage("this needs a confirmation, but there is no terminal to ask for it: add --yes");
  }
  const answer = await terminal.askLine(`${printable(await question())} [y/N]`);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Declined("CANCELLED", "canceled; nothing was changed");
};
