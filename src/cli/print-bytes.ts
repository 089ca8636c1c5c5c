import { printable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** Writes a file to standard output as it arrives, until nobody reads it any more. What steers a terminal is for files alone. */
export const printBytes = async (terminal: Terminal, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const decoder = new TextDecoder();
  const write = (text: string) => terminal.out(terminal.isOutputTerminal ? printable(text, "\r\n\t") : text);
  for await (const chunk of bytes) if (!write(decoder.decode(chunk, { stream: true }))) return;
  write(decoder.decode());
};
