import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Composition } from "#cli/composition.ts";

/** Where a restore goes, in words and without a password: the data folder, or a server's database with its folder. */
export const restoreGoal = ({ config, dataDir }: Pick<Composition, "config" | "dataDir">): string => {
  const { databaseUrl } = config();
  if (databaseUrl === null) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const database = name === "" ? "the user's own PostgreSQL database" : `the PostgreSQL database "${name}"`;
  return `${database} on ${host} (data folder ${dataDir})`;
};

/** Whether every start needs the key that is in the environment now: nothing in the data folder holds it. */
export const needsAppSecret = ({ config, dataDir }: Pick<Composition, "config" | "dataDir">): boolean => {
  const { appSecret } = config();
  return appSecret !== null && appSecret.trim() !== keyIn(dataDir);
};

const keyIn = (dataDir: string): string | null => {
  try {
    return readFileSync(join(dataDir, "app.key"), "utf8").trim();
  } catch {
    // One that cannot be read is none for this user's next start either.
    return null;
  }
};
