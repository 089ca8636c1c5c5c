import { passwordComplaint } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { CliFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/**
 * A new password: from standard input, without the line break at its end, or asked for twice. Throws `USAGE` when there
 * is nobody to ask, and `VALIDATION_FAILED` when the two differ or the length will not do.
 */
export const passwordFrom = async (terminal: Terminal, how: { isFromInput: boolean }): Promise<string> => {
  const password = how.isFromInput ? await readPassword(terminal) : await askTwice(terminal);
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw refused(complaint);
  return password;
};

const readPassword = async (terminal: Terminal): Promise<string> => {
  const bytes = await terminal.readInput();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (error) {
    throw new CliFailure("USAGE", "the password on standard input is not valid UTF-8", { cause: error });
  }
};

const askTwice = async (terminal: Terminal): Promise<string> => {
  if (!terminal.isInputTerminal) {
    throw new CliFailure(
      "USAGE",
      "there is no terminal to ask for the password on: pass it on standard input with --password-stdin",
    );
  }
  const password = await terminal.askSecret("Password");
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw refused(complaint);
  if ((await terminal.askSecret("The same password again")) !== password)
    throw refused(authTexts.passwordsDiffer);
  return password;
};

const refused = (message: string): CliFailure =>
  new CliFailure("VALIDATION_FAILED", message, { errors: [{ path: "password", message }] });
