import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { completeSwap } from "./complete-swap.ts";
import { DataFolderInUseError, makeUsable, UnfitDatabaseError } from "./embedded/errors.ts";
import { openLibc } from "./embedded/libc.ts";
import { lockFolder } from "./embedded/lock.ts";

const patienceMs = 1_000;

/**
 * Removes a data folder that this process made and holds, as far as nothing was put into it: what is refused leaves
 * nothing behind.
 */
export const removeUnused = (dataDir: string): void => {
  const lock = "lock";
  if (!existsSync(dataDir) || readdirSync(dataDir).some((name) => name !== lock)) return;
  rmSync(join(dataDir, lock), { force: true });
  rmdirSync(dataDir);
};

/**
 * Takes a data folder for the life of this process, as the embedded database's process does: the key, the outbox and
 * the control socket in it belong to one server too. A restore that was killed between its last steps is completed. Throws
 * {@link DataFolderInUseError}.
 */
export const holdDataFolder = async (dataDir: string): Promise<void> => {
  makeUsable(dataDir);
  const attempt = await lockFolder(dataDir, openLibc(), patienceMs);
  if (!attempt.isHeld) throw new DataFolderInUseError(dataDir, attempt.holder);
  await completeSwap(dataDir);
};

/** Who runs this program, and who owns the data folder; `null` where there is none yet. */
type Users = { user: number | undefined; owner: number | null };

/**
 * Refuses a data folder of another user. The owner's server could not open files that root creates there, and for every
 * other user the owner could replace the key, the database or the control socket at any time. A folder of root is
 * accepted: volumes of containers are such. Throws an `UnfitDatabaseError` that says what to do.
 */
export const refuseOthersFolder = (dataDir: string, users: Users = usersOf(dataDir)): void => {
  const { user, owner } = users;
  if (user === undefined || owner === null || owner === user || owner === rootId) return;
  const name = nameOf(owner);
  const asOwner = `sudo -u '${name}' atrium … --data-dir ${dataDir}`;
  throw new UnfitDatabaseError(
    user === rootId
      ? `The data folder ${dataDir} belongs to ${name}, who could not use files that root creates there. Run this as the folder's owner: ${asOwner}`
      : `The data folder ${dataDir} belongs to ${name}, who could replace everything in it. Set a folder of your own with --data-dir or DATA_DIR, or, if ${name} is the server's user, run this as the folder's owner: ${asOwner}`,
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

/**
 * Locks a name until the transaction ends: of those that lock the same one, each comes after the other. Any database
 * user can take such a lock and keep it, so it is waited for `withinS` whole seconds at most, 3 unless given, and so is
 * every other lock of the transaction from then on. Then the query fails with what callers hear as a 503 `BUSY`.
 */
export const lockName = async (tx: Database, name: string, withinS = 3): Promise<void> => {
  await tx.execute(sql`select set_config('lock_timeout', ${`${withinS}s`}, true)`);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
};
