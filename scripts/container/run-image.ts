import { chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mountOf, type Root } from "./in-root.ts";
import type { RunSettings } from "./read-dockerfile.ts";

/** A container's stand-in that runs. */
export type RunningImage = {
  /** Runs the health check once; resolves to its exit code and what it said. */
  checkHealth(): Promise<{ exitCode: number; output: string }>;
  /** Calls the server from within its network; resolves to the status. */
  call(path: string): Promise<number>;
  output(): string;
  /** Sends the stop signal; resolves to the exit code. */
  stop(): Promise<number>;
};

/**
 * Runs an image's command as its user, as process 1, with a root that cannot be written to, a volume, an empty `/tmp`,
 * no right to gain rights, and a network of its own that leads nowhere.
 */
export const runImage = async (
  root: Root,
  settings: RunSettings,
  { volume, env }: { volume: string; env: Record<string, string> },
): Promise<RunningImage> => {
  const [uid = 0, gid = 0] = settings.user.split(":").map(Number);
  // A new volume gets what the image has in its place, its owner too.
  const isNew = !existsSync(volume);
  mkdirSync(volume, { recursive: true });
  if (isNew) chownSync(volume, uid, gid);
  const mounts = settings.volumes.map((path) => `mount --bind "${volume}" "$ROOT${path}"`);
  const script = [
    mountOf(root),
    ...["null", "zero", "random", "urandom"].map(
      (name) => `touch "$ROOT/dev/${name}"; mount --bind /dev/${name} "$ROOT/dev/${name}"`,
    ),
    'mount -o remount,bind,ro "$ROOT"',
    ...mounts,
    'mount -t tmpfs -o mode=1777,size=64m tmpfs "$ROOT/tmp"; mount -t proc proc "$ROOT/proc"; ip link set lo up',
    `exec setpriv --no-new-privs chroot --userspec=${settings.user} "$ROOT" ${settings.command.map((word) => `"${word}"`).join(" ")}`,
  ].join("\n");
  const variables = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...settings.env, ...env };
  const child = Bun.spawn(
    ["unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "sh", "-euc", script],
    {
      cwd: "/",
      env: { ...variables, ROOT: root.path },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const gather = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const gathered = Promise.all([gather(child.stdout), gather(child.stderr)]);

  const first = (): string => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  const inside = async (words: string[]) => {
    const run = Bun.spawn(["nsenter", "--target", first(), "--mount", "--pid", "--net", ...words], {
      cwd: "/",
      env: variables,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, exitCode] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ]);
    return { exitCode, output: out + err };
  };

  return {
    checkHealth: () => inside(["chroot", `--userspec=${settings.user}`, root.path, ...settings.healthCheck]),
    call: async (path) => {
      const url = `http://localhost:${settings.env.PORT}${path}`;
      const { output: status } = await inside([
        process.execPath,
        "-e",
        `console.log((await fetch(${JSON.stringify(url)})).status)`,
      ]);
      return Number(status.trim());
    },
    output: () => output,
    stop: async () => {
      Bun.spawnSync(["kill", "-s", settings.stopSignal.replace(/^SIG/, ""), first()]);
      const exitCode = await child.exited;
      await gathered;
      return exitCode;
    },
  };
};

/** The folder that stands for the volume. */
export const volumeIn = (workshop: string): string => join(workshop, "volume");
