import { existsSync, readFileSync, statSync } from "node:fs";
import { UnfitDatabaseError } from "./embedded/errors.ts";

/** Who runs this program, and who owns the data folder; `null` where there is none yet. */
type Users = { user: number | undefined; owner: number | null };

/**
 * Refuses a data folder of somebody else's. Of what the system's administrator makes there the owner's server could open nothing;
 * and for every other user the owner could put another key, database or control socket in the place of theirs at any time. A folder
 * of root's is no stranger's: volumes of containers are such. Throws an `UnfitDatabaseError` that says how to go about it.
 */
export const refuseOthersFolder = (dataDir: string, users: Users = usersOf(dataDir)): void => {
  const { user, owner } = users;
  if (user === undefined || owner === null || owner === user || owner === rootId) return;
  const name = nameOf(owner);
  const asOwner = `sudo -u '${name}' atrium … --data-dir ${dataDir}`;
  throw new UnfitDatabaseError(
    user === rootId
      ? `The data folder ${dataDir} belongs to ${name}, who could not use what root leaves there. Run this as the folder's owner: ${asOwner}`
      : `The data folder ${dataDir} belongs to ${name}, who could replace everything in it. Name a folder of your own with --data-dir or DATA_DIR, or, if ${name} is the server's user, run this as the folder's owner: ${asOwner}`,
  );
};

const rootId = 0;

const usersOf = (dataDir: string): Users => ({
  user: process.getuid?.(),
  owner: existsSync(dataDir) ? statSync(dataDir).uid : null,
});

/** The user's name, or the number in the form that sudo takes. */
const nameOf = (id: number): string => {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return users.find((line) => line.split(":")[2] === String(id))?.split(":")[0] ?? `#${id}`;
  } catch {
    // Some systems keep their users elsewhere.
    return `#${id}`;
  }
};
