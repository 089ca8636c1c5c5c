/** `bun run atrium [word…]`: the command line from its sources, and the words below, which only a clone has. */
import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

const words = process.argv.slice(2);
const inProject = (path: string): string => join(projectRoot, path);
const ofClones = new Map([
  ["app", "scripts/features/app.ts"],
  ["init", "scripts/init.ts"],
  ["make", "scripts/features/make.ts"],
  ["sample", "scripts/features/sample.ts"],
  ["upgrade", "scripts/upgrade.ts"],
]);
const script = ofClones.get(words[0] ?? "");
const program =
  script === undefined
    ? [inProject("src/cli/main.ts"), ...words]
    : [inProject("scripts/with-tools.ts"), inProject(script), ...words.slice(1)];
// Signals and the exit code are the program's own.
if (process.execve === undefined) throw new Error("Atrium runs on Linux and macOS");
process.execve(process.execPath, [process.execPath, ...program], process.env);
