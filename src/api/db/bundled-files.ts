import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether this runs inside the compiled executable, where files live in a folder that only the process sees. */
export const isExecutable = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(import.meta.path);

const root = isExecutable ? import.meta.dir : join(import.meta.dir, "../../..");

/** Folder of the generated migrations. The executable holds it as the asset `drizzle`. */
export const migrationsFolder: string = join(root, "drizzle");

/** Folder of the migrations of own features, where there are any. */
export const ownMigrationsFolder: string = join(migrationsFolder, "own");

/** Where a folder that was built lies: below `dist` in a clone; in the executable each is an asset of its name. */
export const builtFolder = (name: "seed" | "ui" | "plugins"): string =>
  isExecutable ? join(root, name) : join(root, "dist", name);

/**
 * The ready-made database cluster, or `null` where it has not been built: the embedded database then takes seconds
 * more to make one.
 */
export const findSeed = (): string | null => {
  const path = join(seedOutput, seedName);
  return existsSync(path) ? path : null;
};

/** Where the build puts the seed, and under which name. */
export const seedOutput: string = builtFolder("seed");
export const seedName = "cluster.tar.zst";
