import type { ReadStream } from "node:tty";
import { CliFailure } from "./failure.ts";
import { printable } from "./output.ts";

const keys = {
  enter: "\r\n",
  cancel: "\u0003",
  end: "\u0004",
  erase: "\b\u007f",
  clear: "\u0015",
};

/** Asks a question and gives the line that was typed. */
export type Prompt = (question: string) => Promise<string>;

/**
 * Asks for lines: `askLine` shows what is typed, `askSecret` does not; `write` shows the questions. What is typed ahead
 * of a question answers the next one. `openInput` is called at each question. Ctrl-U clears the line; Ctrl-C, and Ctrl-D on an
 * empty line, throw `CANCELLED`.
 */
export const createPrompts = (
  openInput: () => ReadStream,
  write: (text: string) => void,
): { askLine: Prompt; askSecret: Prompt } => {
  let ahead: string[] = [];
  const ask =
    (isShown: boolean): Prompt =>
    async (question) => {
      const input = openInput();
      // First of all: whoever types a secret as soon as the question appears must not see it either.
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
    const cancel = () => finish(() => reject(new CliFailure("CANCELLED", "cancelled; nothing was changed")));
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
