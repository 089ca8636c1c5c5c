import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { run } from "#cli/testing/run.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-bundle-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const onlyServersKnow = [
  "ready.json",
  "status.json",
  "info.json",
  "plugins.json",
  "plugin-logs.json",
  "metrics.txt",
];

/** Makes a bundle; what the command said, and its README. */
const bundle = async (words: string[] = [], hasDatabase = false) => {
  const file = join(folder, "bundle.tar.gz");
  const outcome = await run(["support-bundle", "--out", file, ...words], {
    env: { DATA_DIR: join(folder, "data") },
    composition: { hasDatabase: () => hasDatabase },
  });
  const packed = new Bun.Archive(await Bun.file(file).bytes());
  const files = await packed.files();
  const readme = [...files].find(([name]) => name.endsWith("/README.txt"))?.[1];
  return { ...outcome, readme: (await readme?.text()) ?? "" };
};

describe("support-bundle without a running server", () => {
  test("says so once, with all that is missing for it, in the terminal and in the bundle", async () => {
    const { code, out, err, readme } = await bundle();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const line = `Missing ${onlyServersKnow.join(", ")}: no server is running on this data folder`;
    for (const text of [out, readme]) {
      expect(text.split("no server is running")).toHaveLength(2);
      expect(text).toContain(`\n${line}`);
      expect(text).toContain("\nMissing database.json: there is no database yet\n");
      expect(text).not.toContain("Something went wrong");
    }
    expect(out).toContain("\n  configuration.json: ");
    expect(out).not.toContain("  ready.json: ");
    expect(readme).toMatch(/^ready\.json +health and readiness \(missing\)$/m);
  });

  test("is written over no file, not even one that came while the parts were collected", async () => {
    const file = join(folder, "bundle.tar.gz");
    const hasDatabase = () => {
      writeFileSync(file, "the only bundle");
      return false;
    };
    const words = ["support-bundle", "--out", file];
    const world = { env: { DATA_DIR: join(folder, "data") }, composition: { hasDatabase } };
    for (const _ of ["came meanwhile", "was there before"]) {
      const { code, out, err } = await run(words, world);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain("already exists and is not overwritten");
      expect(readFileSync(file, "utf8")).toBe("the only bundle");
    }
  });

  test("shows on a terminal which part it is at", async () => {
    const { err } = await run(["support-bundle", "--out", join(folder, "shown.tar.gz")], {
      env: { DATA_DIR: join(folder, "data") },
      composition: { hasDatabase: () => false },
      isTerminal: true,
    });
    expect(err).toMatch(/\r\S+1 of (\d+): version\.json\r.* of \1: checks\.json\r.*\1 of \1: server\.log\r/s);
    expect(err).toEndWith("\r\u001b[K");
  });

  test("with --json tells of each part why it is missing", async () => {
    const { out } = await bundle(["--json"]);
    const parts: { file: string; problem: string | null }[] = (await fitsSchema("support-bundle", out)).parts;
    for (const file of onlyServersKnow)
      expect(parts.find((part) => part.file === file)?.problem).toMatch(
        /^no server is running on this data folder/,
      );
    expect(parts.find(({ file }) => file === "version.json")?.problem).toBeNull();
  });

  test("says of a log that cannot be read what is wrong with it", async () => {
    for (const [path, says] of [
      ["/nonexistent/atrium.log", "file not found: /nonexistent/atrium.log"],
      // What looks like a secret in it is hidden.
      [folder, "is a folder, not a log"],
    ] as const) {
      const { code, out } = await bundle(["--log", path]);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`\\nMissing server\\.log: .*${says}\\n`));
      rmSync(join(folder, "bundle.tar.gz"));
    }
  });

  test("has another line for a part that is missing for another reason", async () => {
    const { out } = await bundle([], true);
    expect(out).toContain("\nMissing database.json: Something went wrong: no database in this test\n");
  });
});
