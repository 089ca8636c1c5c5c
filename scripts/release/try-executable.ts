import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownTarget, type TargetName } from "./targets.ts";

/** What was seen of an executable: it served and answered, it did no more than print, or nothing could be tried here. */
export type Trial = "served" | "printed its version" | "not tried";

/**
 * Runs an executable as far as this machine can: its own kind serves from an empty folder, another processor's is run by
 * Debian's qemu where that is installed, which cannot start the processes that a server consists of. Throws when one that
 * runs does not do what it has to.
 */
export const tryExecutable = async (file: string, target: TargetName, version: string): Promise<Trial> => {
  const prefix = runnerFor(target);
  if (prefix === null) return "not tried";
  const printed = Bun.spawnSync([...prefix, file, "--version"], { cwd: "/", env: {}, timeout: limitMs });
  if (printed.stdout.toString().trim() !== version)
    throw new Error(`${target} does not print its version: ${printed.stderr}`);
  if (prefix.length > 0) return "printed its version";
  await serveOnce(file);
  return "served";
};

const limitMs = 60_000;

const runnerFor = (target: TargetName): string[] | null => {
  if (target === ownTarget()) return [];
  const root = "/usr/aarch64-linux-gnu";
  const hasEmulator = Bun.which("qemu-aarch64-static") !== null && existsSync(join(root, "lib"));
  return target === "linux-arm64" && hasEmulator ? ["qemu-aarch64-static", "-L", root] : null;
};

/** A start in an empty folder, with nothing of this process's environment. */
const serveOnce = async (file: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "atrium-trial-"));
  await chmod(folder, 0o700);
  const cwd = join(folder, "empty");
  await mkdir(cwd);
  const env = { DATA_DIR: join(folder, "data"), HOST: "127.0.0.1", PORT: "0" };
  const server = Bun.spawn([file, "serve"], { cwd, env, stdout: "pipe", stderr: "pipe", timeout: limitMs });
  try {
    let printed = "";
    let url: string | undefined;
    for await (const chunk of server.stdout) {
      printed += new TextDecoder().decode(chunk);
      url = /listening on (\S+)/.exec(printed)?.[1];
      if (url) break;
    }
    if (!url) throw new Error(`it did not start: ${await new Response(server.stderr).text()}`);
    for (const path of ["/api/ready", "/"]) {
      const { status } = await fetch(url + path);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
    }
  } finally {
    server.kill();
    await server.exited;
    await rm(folder, { recursive: true, force: true });
  }
};
