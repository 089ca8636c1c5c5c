import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

/** Where the server finds the user interface. */
export const uiDir = join(projectRoot, "dist/ui");

/**
 * Bundles the user interface, renders its pages ahead of time and lays everything out compressed in `outDir`. This
 * happens in a process of its own, because React and Vite decide by NODE_ENV, once, what they are.
 */
export const buildUi = async (outDir: string = uiDir): Promise<void> => {
  const child = Bun.spawn([process.execPath, "scripts/ui/build-site.ts", outDir], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the user interface could not be built");
};
