/** `bun scripts/with-tools.ts file [word…]`: becomes a script that needs the tools, once they are installed. */
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";

ensureDependencies({ tools: true });
if (process.execve === undefined) throw new Error("Atrium runs on Linux and macOS");
process.execve(process.execPath, [process.execPath, ...process.argv.slice(2)], process.env);
