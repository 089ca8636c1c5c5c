import { accessSync, constants, mkdirSync } from "node:fs";
import { DatabaseUnusableError } from "./errors.ts";

/** Makes the data folder, for its owner alone, if it is not there. Throws when this user cannot work in it. */
export const makeUsable = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    throw new DatabaseUnusableError(
      `The data folder ${dataDir} cannot be used by this user (${String(code)}). Run as the folder's owner, or name another folder with DATA_DIR`,
    );
  }
};
