import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether this runs inside the compiled executable, where files live in a folder that only the process sees. */
export const isExecutable = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(import.meta.path);

const root = isExecutable ? import.meta.dir : join(import.meta.dir, "../../..");

/** Folder of the generated migrations. The executable holds it as the asset `drizzle`. */
export const migrationsFolder: string = join(root, "drizzle");

/**
 * The ready-made database cluster, or `null` where it has not been built: the embedded database then takes seconds
 * more to make one. The executable holds its folder as the asset `seed`.
 */
export const findSeed = (): string | null => {
  const path = isExecutable ? join(root, "seed", seedName) : join(seedOutput, seedName);
  return existsSync(path) ? path : null;
};

/** Where the build puts the seed, and under which name. */
export const seedOutput: string = join(root, "dist/seed");
export const seedName = "cluster.tar.zst";
