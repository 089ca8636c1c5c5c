import { readFileSync, statSync } from "node:fs";
import type { Composition } from "#cli/composition.ts";
import { shellWord } from "#cli/failure.ts";

/** Who runs this program, and who owns the data folder; `null` where there is none yet. */
export type Users = { user: number | undefined; owner: number | null };

/**
 * Why the embedded database must not be opened by this process, or `null`: what the database writes as root, even to be
 * looked at, its owner's server cannot read at the next start, and takes for damage.
 */
export const openingObstacle = (
  { dataDir, config }: Pick<Composition, "dataDir" | "config">,
  { user, owner }: Users = { user: process.getuid?.(), owner: ownerOf(dataDir) },
): string | null =>
  user !== 0 || owner === null || owner === 0 || config().databaseUrl !== null
    ? null
    : `not opened: it belongs to ${nameOf(owner)}, whose server couldn't read files created by root`;

/** What to do about a data folder that this process may not look into; `user` is who runs it. */
export const asOwnerOf = (dataDir: string, user = process.getuid?.()): string => {
  const owner = ownerOf(dataDir);
  if (owner === null) return "run this as the owner of the data folder";
  const folder = shellWord(dataDir);
  if (owner === user) return `files in it belong to another user: sudo chown -R ${nameOf(owner)} ${folder}`;
  const command = `atrium doctor --data-dir ${folder}`;
  return owner === 0
    ? `it belongs to root: give it to the server's user, for example with sudo chown -R atrium ${folder}; or run this as root: sudo ${command}`
    : `run this as the folder's owner: sudo -u ${nameOf(owner)} ${command}`;
};

const ownerOf = (path: string): number | null => {
  try {
    return statSync(path).uid;
  } catch {
    // In a folder that is closed as well, or gone.
    return null;
  }
};

/** The user's name, or the number in the form that a shell passes on to sudo and chown. */
export const nameOf = (id: number): string => {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return users.find((line) => line.split(":")[2] === String(id))?.split(":")[0] ?? `'#${id}'`;
  } catch {
    // Some systems keep their users elsewhere.
    return `'#${id}'`;
  }
};
