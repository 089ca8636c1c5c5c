import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openEngine } from "./engine.ts";

/** The data folder holds something that must not be opened or written over. The message is for the operator. */
export class UnusableFolderError extends Error {}

/**
 * Makes sure that `folder` holds a whole cluster: unpacks the seed, or has the engine make one, where there is none.
 * Throws {@link UnusableFolderError} for anything else that stands there.
 */
export const ensureCluster = async (folder: string, seedFile: string | null): Promise<void> => {
  if (isCluster(folder)) return;
  // Under another name until it is whole and on the disk: what a crash leaves behind is never taken for a database.
  const draft = `${folder}.tmp`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  if (seedFile) await unpack(seedFile, draft);
  else await (await openEngine({ folder: draft })).close();
  await syncTree(draft);
  await rename(draft, folder);
  await syncPath(dirname(folder));
};

const isCluster = (folder: string): boolean => {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  const versionFile = join(folder, "PG_VERSION");
  if (!existsSync(versionFile)) {
    throw new UnusableFolderError(
      `The database folder ${folder} is damaged: its file PG_VERSION is missing. Restore a backup, or move the folder away to start with an empty database`,
    );
  }
  const version = readFileSync(versionFile, "utf8").trim();
  if (version !== engineVersion) {
    throw new UnusableFolderError(
      `The database folder ${folder} was made by PostgreSQL ${version || "(unreadable)"}, and this program holds PostgreSQL ${engineVersion}. Start the version that made it and take a backup there`,
    );
  }
  return true;
};

/** Major version of the engine: its clusters cannot be opened by another. */
const engineVersion = "18";

const unpack = async (seedFile: string, folder: string): Promise<void> => {
  const tar = await Bun.zstdDecompress(await Bun.file(seedFile).bytes());
  await new Bun.Archive(tar).extract(folder);
};

/** Puts everything below `folder` on the disk. Many at a time, so that the file system can write them together. */
const syncTree = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  const syncSome = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncPath(path);
  };
  await Promise.all(Array.from({ length: syncsAtOnce }, syncSome));
};

const syncsAtOnce = 32;

const syncPath = async (path: string): Promise<void> => {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
