import { existsSync, readFileSync, statSync } from "node:fs";
import { UnfitDatabaseError } from "./embedded/errors.ts";

/** Who runs this program, and who owns the data folder; `null` where there is none yet. */
type Users = { user: number | undefined; owner: number | null };

/**
 * Refuses a data folder of somebody else's to the system's administrator: what is made there would be the administrator's,
 * and the owner's server could not open it. Throws an `UnfitDatabaseError` that says how to go about it.
 */
export const refuseOthersFolder = (dataDir: string, users: Users = usersOf(dataDir)): void => {
  const { user, owner } = users;
  if (user !== 0 || owner === null || owner === 0) return;
  throw new UnfitDatabaseError(
    `The data folder ${dataDir} belongs to ${nameOf(owner)}, who could not use what root leaves there. Run this as the folder's owner: sudo -u '${nameOf(owner)}' atrium … --data-dir ${dataDir}`,
  );
};

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
