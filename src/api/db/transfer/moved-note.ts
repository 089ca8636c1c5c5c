import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/**
 * What lies in a data folder whose database was moved: when, and where to, without the password. `load` is the id of the load
 * that brought it there; `""` in a note of a version that did not write that down.
 */
export type MovedNote = { movedAt: string; to: string; version: string; rows: number; load: string };

/** What it is called in the data folder. */
export const movedNoteName = "moved-to-postgresql.json";

/** The note in a data folder, or `null`. */
export const movedNoteIn = (dataDir: string): MovedNote | null => {
  const path = join(dataDir, movedNoteName);
  if (!existsSync(path)) return null;
  const note: MovedNote = { load: "", ...JSON.parse(readFileSync(path, "utf8")) };
  return note;
};

/** Throws {@link UnusableInstallationError} where the embedded database of a folder was moved: two would be in use otherwise. */
export const refuseMoved = (dataDir: string): void => {
  const note = movedNoteIn(dataDir);
  if (note === null) return;
  throw new UnusableInstallationError(
    `This installation's data was moved to ${note.to} at ${note.movedAt}: set DATABASE_URL to use it there. The data in ${dataDir} has not changed ` +
      `since. To return to it, and lose what was done since then, remove ${join(dataDir, movedNoteName)}`,
  );
};

/** Writes the note, whole or not at all. */
export const writeMovedNote = (dataDir: string, note: MovedNote): void => {
  const path = join(dataDir, movedNoteName);
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(note, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
};

/** Takes the note away. */
export const removeMovedNote = (dataDir: string): void =>
  rmSync(join(dataDir, movedNoteName), { force: true });

/** The data is incomplete, or no longer the installation in use; the message says how to continue. */
export class UnusableInstallationError extends Error {
  override readonly name = "UnusableInstallationError";
}

/** Data cannot be moved this way; the message is for the operator. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** A part does not fit its table: it was not written by a database of this version. */
export class UnfitPartError extends TransferError {}
