/**
 * `bun scripts/build-image.ts` builds the image with Docker or Podman as `atrium:latest`, starts it the way
 * docs/operating/containers.md says, and fails unless it answers, passes its own health check and stops in order.
 */
import packageJson from "../package.json" with { type: "json" };
import { projectRoot } from "./project-root.ts";

const startLimitMs = 60_000;
const tag = "atrium:latest";

/** An engine is more than its command line: without a running daemon, `info` fails. */
const engine = ["docker", "podman"].find(
  (name) =>
    Bun.which(name) !== null &&
    Bun.spawnSync([name, "info"], { stdio: ["ignore", "ignore", "ignore"] }).exitCode === 0,
);
if (engine === undefined) {
  console.error("No container engine is running: neither Docker nor Podman responds. Nothing was built.");
  process.exit(1);
}

/** Runs a command of the engine and returns what it prints. Throws when it fails. */
const ask = (...words: string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([engine, ...words], { stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${engine} ${words[0]} failed: ${stderr}`);
  return stdout.toString().trim();
};

const untilAnswered = async (url: string): Promise<void> => {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    const status = await fetch(url).then((response) => response.status, String);
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} never answered 200, last: ${status}`);
    await Bun.sleep(500);
  }
};

/** What the image says of itself. */
const labels = {
  VERSION: packageJson.version,
  REVISION: Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: projectRoot }).stdout.toString().trim(),
  CREATED: new Date().toISOString(),
};
const buildArguments = Object.entries(labels).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
const build = Bun.spawnSync([engine, "build", "--tag", tag, ...buildArguments, projectRoot], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (build.exitCode !== 0) process.exit(build.exitCode);

const container = ask(
  ...["run", "--detach", "--read-only", "--tmpfs", "/tmp:mode=1777,size=64m", "--cap-drop", "ALL"],
  ...["--security-opt", "no-new-privileges", "--publish", "127.0.0.1::3000", tag],
);
try {
  const address = ask("port", container, "3000").split("\n")[0];
  await untilAnswered(`http://${address}/api/health`);
  await untilAnswered(`http://${address}/api/ready`);
  ask("exec", container, "/usr/local/bin/atrium", "status", "--live");
  ask("stop", "-t", "30", container);
  const exitCode = ask("inspect", "--format", "{{.State.ExitCode}}", container);
  if (exitCode !== "0") throw new Error(`the server ended with ${exitCode}`);
  console.log(`${tag} responds, is healthy and stops cleanly.`);
} catch (error) {
  Bun.spawnSync([engine, "logs", container], { stdio: ["ignore", "inherit", "inherit"] });
  throw error;
} finally {
  ask("rm", "--force", "--volumes", container);
}
