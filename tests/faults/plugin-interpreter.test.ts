import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interpreterName, interpreterOutput } from "#api/plugin-host/sandbox/interpreter-place.ts";
import { meterInterpreter, meterText } from "../../scripts/build-interpreter.ts";

const fixtures = join(import.meta.dir, "../fixtures/hostile-plugins");
const built = join(interpreterOutput, interpreterName);

describe("the plugins' interpreter", () => {
  test("is built to the same bytes again", async () => {
    const again = await meterInterpreter();
    expect(Bun.SHA256.hash(again, "hex")).toBe(Bun.SHA256.hash(await Bun.file(built).bytes(), "hex"));
  }, 120_000);

  test("is not built when a loop of it could not be metered", () => {
    const text = " (global $a (mut i32) (i32.const 0))\n  (loop $label\n  )\n";
    expect(meterText(text).match(/call \$tick/g)).toHaveLength(1);
    expect(() => meterText(`${text}  (loop (result f32 f32)\n  )\n`)).toThrow("Only 1 of 2 loops");
    expect(() => meterText("(module)")).toThrow("0 of 0 loops");
  });

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
    const [metered, unmetered] = await Promise.all([loopIn(built), loopIn(original)]);
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
