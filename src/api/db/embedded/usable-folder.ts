import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseUnusableError, UnfitDatabaseError } from "./errors.ts";

/** Throws when there is a file in place of the data folder or a folder above it. */
export const refuseFile = (dataDir: string): void => {
  let place = dataDir;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  if (!existsSync(place) || statSync(place).isDirectory()) return;
  throw new UnfitDatabaseError(
    `The data folder ${dataDir} cannot be used: ${place === dataDir ? "it" : place} is a file. Set a folder with DATA_DIR`,
  );
};

/** Makes the data folder, for its owner alone, if it is not there. Throws when this user cannot work in it. */
export const makeUsable = (dataDir: string): void => {
  refuseFile(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new DatabaseUnusableError(
        `The data folder ${dataDir} could not be created: the disk is full. Free up disk space`,
      );
    throw new UnfitDatabaseError(
      `The data folder ${dataDir} cannot be used by this user (${String(code)}). Run as the folder's owner, or set another folder with DATA_DIR`,
    );
  }
};

const othersWriting = 0o002;

/** What is to be said of a data folder that every user of the machine may write to; `null` for any other. */
export const openFolderComplaint = (dataDir: string): string | null =>
  !existsSync(dataDir) || (statSync(dataDir).mode & othersWriting) === 0
    ? null
    : `every user of this machine can write to the data folder ${dataDir}: run chmod 700 ${dataDir}`;
