/** Sets up the git hooks after an install in a checkout. Never fails an install: hooks are a convenience. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

const lefthook = join(projectRoot, "node_modules", ".bin", "lefthook");
const isCheckout = existsSync(join(projectRoot, ".git"));
const isCi = Boolean(process.env.CI);

if (isCheckout && !isCi && existsSync(lefthook)) {
  try {
    const { exitCode } = Bun.spawnSync([lefthook, "install"], {
      cwd: projectRoot,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (exitCode !== 0) console.error("The git hooks could not be installed; everything else works.");
  } catch {
    console.error("The git hooks could not be installed; everything else works.");
  }
}
