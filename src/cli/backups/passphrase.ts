import { CliFailure } from "#cli/failure.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";

const variable = "ATRIUM_BACKUP_PASSPHRASE";
const leastCharacters = 12;

/** Where a passphrase may come from besides the environment. */
type PassphraseSource = { isFromInput: boolean; mayAsk: boolean };

/** The passphrase for a new backup, asked for twice; `null` when none is given and none may be asked for. Throws `USAGE`. */
export const newPassphrase = async (terminal: Terminal, source: PassphraseSource): Promise<string | null> => {
  const given = await givenPassphrase(terminal, source);
  if (given !== null) return checked(given);
  if (!source.mayAsk) return null;
  if (!terminal.isInputTerminal) throw noTerminal();
  const passphrase = checked(await terminal.askSecret("Passphrase for the backup"));
  if ((await terminal.askSecret("Repeat the passphrase")) !== passphrase)
    throw new CliFailure("VALIDATION_FAILED", "the passphrases don't match");
  return passphrase;
};

/** The passphrase of a backup that is there; `null` when none is given and there is no terminal to ask on. */
export const presentPassphrase = async (
  terminal: Terminal,
  source: PassphraseSource,
): Promise<string | null> => {
  const given = await givenPassphrase(terminal, source);
  if (given !== null || !source.mayAsk || !terminal.isInputTerminal) return given;
  return terminal.askSecret("Passphrase of the backup");
};

const givenPassphrase = async (terminal: Terminal, { isFromInput }: PassphraseSource) => {
  if (isFromInput) return new TextDecoder().decode(await terminal.readInput()).replace(/\r?\n$/, "");
  return terminal.env[variable] || null;
};

const checked = (passphrase: string): string => {
  if ([...passphrase].length >= leastCharacters) return passphrase;
  throw new CliFailure(
    "VALIDATION_FAILED",
    `the passphrase must have at least ${leastCharacters} characters`,
  );
};

const noTerminal = (): CliFailure =>
  new CliFailure(
    "USAGE",
    `cannot ask for a passphrase without a terminal: set ${variable}, or use --passphrase-stdin`,
  );
