/** The run command of a fresh clone: installs what is missing, then becomes the server, which builds what is stale. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { projectRoot } from "./project-root.ts";

/**
 * Under `npx` a shell stands between npm and us that dies of SIGTERM without passing it on, and the server would stay
 * behind with its port and its data folder. A small shell loop watches the processes above us and asks for the end
 * in their place: by SIGQUIT, which the server never takes for a second, impatient signal. Does nothing without npx, or
 * where there is no /proc.
 */
const stopWithNpx = (): void => {
  // Bun keeps the user agent of its caller.
  if (!process.env.npm_config_user_agent?.startsWith("npm/")) return;
  const ancestors = ancestorsOf(process.pid, 3);
  if (ancestors.length === 0) return;
  Bun.spawn(["sh", "-c", watch, "stop-with-npx", String(process.pid), ...ancestors.map(String)], {
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  }).unref();
};

/** Ends with the server; its first argument is the server, the others are the processes to outlive. */
const watch = `server=$1; shift
while kill -0 "$server" 2>/dev/null; do
  for pid; do kill -0 "$pid" 2>/dev/null || { kill -QUIT "$server"; exit; }; done
  sleep 1
done`;

const ancestorsOf = (pid: number, count: number): number[] => {
  const parent = parentOf(pid);
  if (count === 0 || parent === null || parent <= 1) return [];
  return [parent, ...ancestorsOf(parent, count - 1)];
};

const parentOf = (pid: number): number | null => {
  try {
    // The second field is the program's name in parentheses and may hold spaces; the parent is the fourth.
    const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim();
    return Number(afterName.split(" ")[1]);
  } catch {
    // No /proc, or the process has just gone: there is nothing to watch.
    return null;
  }
};

ensureDependencies();
stopWithNpx();
const server = [process.execPath, join(projectRoot, "scripts/start/serve.ts"), ...process.argv.slice(2)];
// Replacing this process instead of keeping a parent: signals and the exit code are the server's own. And this one looked
// for packages before they were installed.
if (process.execve === undefined) throw new Error("Atrium runs on Linux and macOS");
process.execve(process.execPath, server, process.env);
