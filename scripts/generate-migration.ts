/**
 * `bun run db:generate --name words`: makes a migration of what changed in `src/api/db/schema.ts`. The generator compares with the
 * newest snapshot of the schema alone, so older ones are deleted.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

const generator = join(projectRoot, "node_modules/.bin/drizzle-kit");
const { exitCode } = Bun.spawnSync([process.execPath, generator, "generate", ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: ["inherit", "inherit", "inherit"],
});
if (exitCode !== 0) process.exit(exitCode);

const snapshots = join(projectRoot, "drizzle/meta");
const older = readdirSync(snapshots)
  .filter((name) => name.endsWith("_snapshot.json"))
  .sort()
  .slice(0, -1);
for (const name of older) rmSync(join(snapshots, name));
