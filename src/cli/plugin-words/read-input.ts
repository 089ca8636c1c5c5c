import { readFile } from "node:fs/promises";
import { CliFailure } from "#cli/failure.ts";
import { printable } from "#cli/output.ts";
import type { Terminal } from "#cli/terminal.ts";
import type { CommandInput } from "#contract/plugin-commands.ts";

/**
 * What a command takes besides its words: the text of a file, what is typed at a prompt that does not show it, or standard
 * input; without the line break at its end. Throws `USAGE` when there is nothing.
 */
export const readInput = async (
  terminal: Terminal,
  { summary }: CommandInput,
  file: unknown,
): Promise<string> => {
  const text = typeof file === "string" ? await fileText(file) : await askedOrPiped(terminal, summary);
  if (text !== "") return text;
  throw new CliFailure("USAGE", `${summary}: nothing was given; pipe it in, or type it when it is asked for`);
};

const askedOrPiped = async (terminal: Terminal, summary: string): Promise<string> =>
  terminal.isInputTerminal
    ? terminal.askSecret(printable(summary))
    : decoded(await terminal.readInput(), "standard input");

const fileText = async (path: string): Promise<string> => {
  const bytes = await readFile(path).catch((cause) => {
    throw new CliFailure("USAGE", `cannot read the file ${path}`, { cause });
  });
  return decoded(bytes, path);
};

const decoded = (bytes: Uint8Array, place: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (cause) {
    throw new CliFailure("USAGE", `${place} is not valid UTF-8`, { cause });
  }
};
