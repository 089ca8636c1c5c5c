import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { openLibc } from "#api/db/embedded/libc.ts";
import { lockFolder } from "#api/db/embedded/lock.ts";

/** What the folder of a trial restore is called before its random end. */
export const trialPrefix = "verify-";

const form = /^verify-\w{6}$/;
// Between a folder's making and its being held by a database.
const youngMs = 60_000;

/**
 * Removes what trial restores that were killed left in a data folder; those that are under way hold theirs. What this
 * process may not open or remove stays.
 */
export const sweepTrials = async (dataDir: string, nowMs: number): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    if (!form.test(name)) continue;
    // What is left hinders no trial, and `atrium doctor` names it.
    await sweep(join(dataDir, name), nowMs).catch(() => {});
  }
};

const sweep = async (path: string, nowMs: number): Promise<void> => {
  if (nowMs - (await stat(path)).mtimeMs < youngMs) return;
  const { isHeld } = await lockFolder(path, openLibc(), 0);
  if (isHeld) await rm(path, { recursive: true, force: true });
};
