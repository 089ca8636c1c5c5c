import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { imagePins, stalePins } from "../check/run-check.ts";
import { projectRoot } from "../project-root.ts";
import { compileExecutable, compileTargets, ownTarget, type TargetName } from "./compile-executable.ts";
import { contentsProblem, currentContents } from "./plugin-contents.ts";
import { billOf, listPackages, takeIngredients } from "./sbom.ts";

/** What was seen of an executable: it served and answered, it did no more than print, or nothing could be tried here. */
export type Trial = "served" | "printed its version" | "not tried";

/**
 * Runs an executable as far as this machine can: its own kind serves from an empty folder, another processor's is run by
 * Debian's qemu where that is installed, which cannot start the processes that a server consists of. Throws when one that
 * runs does not do what it has to.
 */
const tryExecutable = async (file: string, target: TargetName, version: string): Promise<Trial> => {
  const prefix = runnerFor(target);
  if (prefix === null) return "not tried";
  const printed = Bun.spawnSync([...prefix, file, "--version"], { cwd: "/", env: {}, timeout: limitMs });
  if (printed.stdout.toString().trim() !== version)
    throw new Error(`${target} did not print its version: ${printed.stderr}`);
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

/** Where releases are put together. */
const releaseFolder: string = join(projectRoot, "dist/release");

/** A larger single file would take too long to download. */
const limitBytes = 150_000_000;

/** How a trial is called in `targets.json`: users have to know which ones have never been seen serving. */
const marks: Record<Trial, string> = {
  served: "verified",
  "printed its version": "built only",
  "not tried": "built only",
};

/** What a release is made with; tests put quick ones in their place. */
export type ReleaseSteps = {
  compile: typeof compileExecutable;
  tryOut: typeof tryExecutable;
  /** What is to be said of images that are too old. */
  stalePins(): string[];
  /** Why the shipped plugins keep this version from being released; `null` when nothing does. */
  contentsProblem(): Promise<string | null>;
  /** The text of the bill of materials. */
  bill(targets: readonly TargetName[]): Promise<string>;
};

const realSteps: ReleaseSteps = {
  compile: compileExecutable,
  tryOut: tryExecutable,
  stalePins: () => stalePins(imagePins(), new Date()),
  contentsProblem: async () => contentsProblem(packageJson.version, await currentContents()),
  bill: async (targets) => billOf(await listPackages(), takeIngredients(targets)),
};

/**
 * Makes the folder of a release: an executable for each of `targets`, `targets.json` with what was tried of each, the bill
 * of materials, and the checksums of all of it. Throws when one is too large or fails its trial, when an image of the
 * files for containers is too old, and when the contents of the included plugins are not recorded.
 */
export const buildRelease = async (
  targets: readonly TargetName[],
  folder = releaseFolder,
  steps = realSteps,
): Promise<void> => {
  const stale = steps.stalePins();
  if (stale.length > 0) throw new Error(stale.join("\n"));
  const problem = await steps.contentsProblem();
  if (problem !== null) throw new Error(problem);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const rows: object[] = [];
  const names: string[] = [];
  for (const target of targets) {
    const name = `${packageJson.name}-${packageJson.version}-${target}`;
    const path = join(folder, name);
    await steps.compile({ outfile: path, target: compileTargets[target] });
    await chmod(path, 0o755);
    const sizeBytes = Bun.file(path).size;
    if (sizeBytes > limitBytes) throw new Error(`${name} has ${sizeBytes} bytes, more than ${limitBytes}`);
    const trial = await steps.tryOut(path, target, packageJson.version);
    rows.push({ target, file: name, sizeBytes, status: marks[trial], trial });
    names.push(name);
    console.error(`${name}: ${(sizeBytes / 1e6).toFixed(1)} MB, ${marks[trial]} (${trial})`);
  }
  const papers = {
    "sbom.cdx.json": await steps.bill(targets),
    "targets.json": `${JSON.stringify(rows, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(papers)) await Bun.write(join(folder, name), text);
  await Bun.write(join(folder, "SHA256SUMS"), await sumsOf(folder, [...names, ...Object.keys(papers)]));
};

/** Lines as `sha256sum -c` reads them. */
const sumsOf = async (folder: string, names: readonly string[]): Promise<string> => {
  const lines = await Promise.all(
    names.map(async (name) => {
      const hasher = new Bun.CryptoHasher("sha256");
      for await (const chunk of Bun.file(join(folder, name)).stream()) hasher.update(chunk);
      return `${hasher.digest("hex")}  ${name}\n`;
    }),
  );
  return lines.join("");
};
