/** The server of a clone: what it shows is built while it opens its database. */
import { main } from "#cli/main.ts";
import { serverTargets, staleTargets } from "../prepare/build-targets.ts";
import { projectRoot } from "../project-root.ts";

/**
 * Builds what is stale of what a server shows, quickly, beside the server that is starting. When that fails, the server ends with the
 * build's code; when the server ends, so does the build.
 */
const buildMeanwhile = async (): Promise<void> => {
  const kind = { isQuick: true };
  const stale = staleTargets(serverTargets, kind);
  if (stale.length === 0) return;
  console.error("Starting the server while the rest is built; a new database takes about 5 s …");
  // In a group of its own, so that all of its processes can be ended together.
  const build = Bun.spawn([process.execPath, "scripts/build.ts", "--quick", ...stale], {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  const end = () => {
    if (build.exitCode === null && build.signalCode === null) process.kill(-build.pid, "SIGTERM");
  };
  // A server that is starting would wait for its start to be over.
  const stops = [
    ["SIGINT", () => process.exit(130)],
    ["SIGTERM", () => process.exit(143)],
  ] as const;
  process.on("exit", end);
  for (const [signal, stop] of stops) process.on(signal, stop);
  const code = await build.exited;
  process.off("exit", end);
  for (const [signal, stop] of stops) process.off(signal, stop);
  if (code !== 0) process.exit(code);
};

void main(["serve", ...process.argv.slice(2)], buildMeanwhile);
