import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

/** Where the server finds the user interface. */
export const uiDir = join(projectRoot, "dist/ui");

/**
 * Bundles the user interface, renders its pages ahead of time and lays everything out compressed in `outDir`. This
 * happens in a process of its own, because React and Vite decide by NODE_ENV, once, what they are. With `isQuick` the files
 * are hardly compressed, which is half of the time.
 */
export const buildUi = async ({ outDir = uiDir, isQuick = false } = {}): Promise<void> => {
  const words = isQuick ? ["--quick"] : [];
  const child = Bun.spawn([process.execPath, "scripts/ui/build-site.ts", outDir, ...words], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the user interface could not be built");
};
