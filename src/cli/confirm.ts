import { CliFailure } from "./failure.ts";
import { printable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** Somebody was asked, and did not agree. */
export class Declined extends CliFailure {}

/**
 * Asks before something that cannot be taken back; `question` is only made when somebody is there to read it. With
 * `--yes` nothing is asked. Throws `USAGE` when there is nobody to ask, and {@link Declined} (`CANCELLED`) for any answer but y or yes.
 */
export const confirm = async (
  terminal: Terminal,
  { isAnswered, question }: { isAnswered: boolean; question: () => Promise<string> },
): Promise<void> => {
  if (isAnswered) return;
  if (!terminal.isInputTerminal) {
    throw new CliFailure(
      "USAGE",
      "this asks for a confirmation, and there is no terminal to ask on: add --yes",
    );
  }
  const answer = await terminal.askLine(`${printable(await question())} [y/N]`);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Declined("CANCELLED", "cancelled; nothing was changed");
};
