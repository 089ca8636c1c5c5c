/** The run command of a fresh clone: installs, builds what is stale, then becomes the server. */
import { join } from "node:path";
import { ensureBuilt } from "./prepare/ensure-built.ts";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { projectRoot } from "./project-root.ts";
import { stopWithNpx } from "./stop-with-npx.ts";

ensureDependencies();
ensureBuilt();
stopWithNpx();
const server = [process.execPath, join(projectRoot, "src/cli/main.ts"), "serve", ...process.argv.slice(2)];
// Replacing this process instead of keeping a parent: signals and the exit code are the server's own.
if (process.execve === undefined) throw new Error("Atrium runs on Linux and macOS");
process.execve(process.execPath, server, process.env);
