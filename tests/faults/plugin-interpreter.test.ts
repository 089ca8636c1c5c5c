import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interpreterFile } from "#api/plugin-host/sandbox/child/interpreter-file.ts";

const fixtures = join(import.meta.dir, "../fixtures/hostile-plugins");

describe("the plugins' interpreter", () => {
  /** What the fixture prints with an interpreter, and whether it had to be killed. */
  const loopIn = async (file: string) => {
    const child = Bun.spawn([process.execPath, join(fixtures, "hang-in-loop.ts"), file], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    const printed = await Bun.readableStreamToText(child.stdout);
    clearTimeout(timer);
    await child.exited;
    return { printed, wasKilled: child.signalCode === "SIGKILL" };
  };

  test("ends a loop inside its own functions, which the one of the package never does", async () => {
    const original = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
    const [metered, unmetered] = await Promise.all([loopIn(interpreterFile), loopIn(original)]);
    expect(metered).toEqual({ printed: "begins\nended cpu\n", wasKilled: false });
    expect(unmetered).toEqual({ printed: "begins\n", wasKilled: true });
  }, 60_000);
});

describe("an executable", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atrium-compiled-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each([[[]], [["--minify"]]])(
    "runs a plugin in its sandbox, compiled with %j",
    async (flags) => {
      const program = join(folder, "program");
      const build = Bun.spawnSync(
        [
          process.execPath,
          "build",
          "--compile",
          ...flags,
          `--outfile=${program}`,
          join(fixtures, "small-program.ts"),
        ],
        { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
      );
      expect(build.exitCode, build.stderr.toString()).toBe(0);
      const child = Bun.spawn([program], { cwd: folder, env: {}, stdio: ["ignore", "pipe", "pipe"] });
      const [printed, complaint] = await Promise.all([
        Bun.readableStreamToText(child.stdout),
        Bun.readableStreamToText(child.stderr),
      ]);
      expect(complaint).toBe("");
      expect(JSON.parse(printed)).toMatchObject({
        answer: { key: "value", url: "http://a/b" },
        failures: [],
      });
      expect(printed).toContain(process.platform === "linux" ? "process+seccomp" : "process");
    },
    120_000,
  );
});
