import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { openLibc } from "#api/db/embedded/libc.ts";
import { lockFolder } from "#api/db/embedded/lock.ts";

/** What the folder of a trial restore is called before its random end. */
export const trialPrefix = "verify-";

const form = /^verify-\w{6}$/;
// Between a folder's making and its being held by a database.
const youngMs = 60_000;

/** Removes what trial restores that were killed left in a data folder; those that are under way hold theirs. */
export const sweepTrials = async (dataDir: string, nowMs: number): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    if (!form.test(name) || nowMs - (await stat(path)).mtimeMs < youngMs) continue;
    const { isHeld } = await lockFolder(path, openLibc(), 0);
    if (isHeld) await rm(path, { recursive: true, force: true });
  }
};
