import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { completeSwap } from "./complete-swap.ts";
import { DataFolderInUseError } from "./embedded/errors.ts";
import { openLibc } from "./embedded/libc.ts";
import { lockFolder } from "./embedded/lock.ts";
import { makeUsable } from "./embedded/usable-folder.ts";

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
