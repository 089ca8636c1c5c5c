import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The process that has the embedded database of `dataDir` open. */
export const databasePid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, "lock"), "utf8").split("\n")[1]);
