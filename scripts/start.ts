/** The run command of a fresh clone: installs what is missing, then becomes the server, which builds what is stale. */
import { join } from "node:path";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { projectRoot } from "./project-root.ts";
import { stopWithNpx } from "./stop-with-npx.ts";

ensureDependencies();
stopWithNpx();
const server = [process.execPath, join(projectRoot, "scripts/start/serve.ts"), ...process.argv.slice(2)];
// Replacing this process instead of keeping a parent: signals and the exit code are the server's own. And this one looked
// for packages before they were installed.
if (process.execve === undefined) throw new Error("Atrium runs on Linux and macOS");
process.execve(process.execPath, server, process.env);
