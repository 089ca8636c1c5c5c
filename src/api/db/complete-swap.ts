import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncPath } from "./embedded/free-space.ts";

/** A file or folder that is to take another's place in the data folder; what stood there stays, as `aside`. */
export type Move = { from: string; to: string; aside: string };

/** The list of planned moves: once it exists, all of them are made, by this process or a later one. */
export const swapListName = "restore.json";

/**
 * Makes several moves in a data folder as one: they are recorded first, and the next process that holds the folder
 * makes those that are missing. Names are relative to the folder. The caller holds it.
 */
export const swapIn = async (dataDir: string, moves: readonly Move[]): Promise<void> => {
  const path = join(dataDir, swapListName);
  const draft = `${path}.part`;
  writeFileSync(draft, JSON.stringify(moves), { mode: 0o600 });
  await syncPath(draft);
  await rename(draft, path);
  await syncPath(dataDir);
  await completeSwap(dataDir);
};

/** Whether moves were decided on that are not all made. */
export const isSwapPending = (dataDir: string): boolean => existsSync(join(dataDir, swapListName));

/**
 * Makes the planned moves that were not finished, if there are any. Only for the process that holds the folder: two at
 * the same time would move the same files in turn and lose the new ones.
 */
export const completeSwap = async (dataDir: string): Promise<void> => {
  const path = join(dataDir, swapListName);
  if (!existsSync(path)) return;
  const moves: Move[] = JSON.parse(readFileSync(path, "utf8"));
  for (const { from, to, aside } of moves) {
    const [source, target] = [join(dataDir, from), join(dataDir, to)];
    if (!existsSync(source)) continue;
    // A folder that is aside already is never replaced: the name is taken, and this fails.
    if (existsSync(target)) await rename(target, join(dataDir, aside));
    await rename(source, target);
  }
  await syncPath(dataDir);
  await rm(path, { force: true });
};
