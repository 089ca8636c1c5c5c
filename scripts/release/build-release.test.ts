import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { buildRelease, type ReleaseSteps, type Trial } from "./build-release.ts";
import { contentsProblem, type PluginContents } from "./plugin-contents.ts";

const { name, version } = packageJson;
const fileOf = (target: string) => `${name}-${version}-${target}`;

let root: string;
let folder: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "atrium-release-"));
});
beforeEach(() => {
  folder = join(root, crypto.randomUUID());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const trials: Record<string, Trial> = { "linux-x64": "served", "linux-arm64": "printed its version" };

/** Stands in for minutes of compiling: a file that holds the name of the runtime that was asked for. */
const quickSteps: ReleaseSteps = {
  compile: async ({ outfile, target }) => writeFileSync(outfile, `the product on ${target}`),
  tryOut: async (_file, target) => trials[target] ?? "not tried",
  stalePins: () => [],
  contentsProblem: async () => null,
  bill: async (targets) => `all of ${targets.join(" ")}`,
};

const targets = ["linux-x64", "linux-arm64", "darwin-arm64"] as const;

/** Builds without its lines about progress; resolves to them. */
const build = async (steps: Partial<ReleaseSteps> = {}): Promise<string> => {
  const spoken = spyOn(console, "error").mockImplementation(() => {});
  try {
    await buildRelease(targets, folder, { ...quickSteps, ...steps });
    return spoken.mock.calls.flat().join("\n");
  } finally {
    spoken.mockRestore();
  }
};

describe("a release", () => {
  test("is refused while an image of the files for containers is too old", async () => {
    const failure = await build({ stalePins: () => ["node was pinned 181 days ago"] }).catch(String);
    expect(failure).toContain("node was pinned 181 days ago");
    expect(readdirSync(root)).not.toContain(folder.slice(root.length + 1));
  });

  test("is refused until the contents of the included plugins are recorded, with the command that does it", async () => {
    const current = { firewall: "ab" };
    const failureOf = (releases: Record<string, PluginContents>) =>
      build({ contentsProblem: async () => contentsProblem(version, current, releases) }).catch(String);
    const missing = await failureOf({ "0.9.0": current });
    expect(missing).toContain(`has no entry for ${version}. Run: bun scripts/keep-plugin-contents.ts`);
    expect(await failureOf({ [version]: { firewall: "cd" } })).toContain("Raise the version in package.json");
    expect(readdirSync(root)).not.toContain(folder.slice(root.length + 1));
    expect(await failureOf({ [version]: current })).not.toContain("keep-plugin-contents");
  });

  test("holds an executable for each target, made from that target's runtime, and says of each what was tried", async () => {
    const spoken = await build();
    const files = targets.map(fileOf);
    expect(readdirSync(folder).sort()).toEqual(
      ["SHA256SUMS", "sbom.cdx.json", "targets.json", ...files].sort(),
    );
    for (const [index, file] of files.entries()) {
      const path = join(folder, file);
      expect(await Bun.file(path).text()).toBe(`the product on bun-${targets[index]}`);
      expect(statSync(path).mode & 0o777).toBe(0o755);
    }
    const rows = await Bun.file(join(folder, "targets.json")).json();
    expect(rows).toEqual([
      row("linux-x64", "verified", "served"),
      row("linux-arm64", "built only", "printed its version"),
      row("darwin-arm64", "built only", "not tried"),
    ]);
    expect(spoken).toContain(`${fileOf("linux-arm64")}: 0.0 MB, built only`);
    expect(await Bun.file(join(folder, "sbom.cdx.json")).text()).toBe(`all of ${targets.join(" ")}`);
  });

  test("has checksums of all its files, which sha256sum accepts until one is changed", async () => {
    await build();
    const listed = (await Bun.file(join(folder, "SHA256SUMS")).text()).trim().split("\n");
    expect(listed.map((line) => line.slice(66)).sort()).toEqual(
      readdirSync(folder)
        .filter((file) => file !== "SHA256SUMS")
        .sort(),
    );
    for (const line of listed) {
      const bytes = await Bun.file(join(folder, line.slice(66))).bytes();
      expect(line.slice(0, 66)).toBe(`${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  `);
    }
    const check = () => Bun.spawnSync(["sha256sum", "-c", "--quiet", "SHA256SUMS"], { cwd: folder }).exitCode;
    expect(check()).toBe(0);
    writeFileSync(join(folder, fileOf("linux-arm64")), "something else");
    expect(check()).not.toBe(0);
  });

  test("has nothing in it of the one before", async () => {
    await build();
    writeFileSync(join(folder, fileOf("linux-x64-musl")), "left over");
    await build();
    expect(readdirSync(folder)).not.toContain(fileOf("linux-x64-musl"));
  });

  test("is not made with an executable of more than 150 MB, nor with one that fails its trial", async () => {
    const compileOf = (sizeBytes: number): ReleaseSteps["compile"] => {
      return async ({ outfile }) => {
        writeFileSync(outfile, "");
        truncateSync(outfile, sizeBytes);
      };
    };
    const tryOut = async () => {
      throw new Error("it did not start");
    };
    await expect(build({ compile: compileOf(150_000_001) })).rejects.toThrow(/150000001 bytes/);
    await expect(build({ tryOut })).rejects.toThrow("it did not start");
    expect(readdirSync(folder)).not.toContain("SHA256SUMS");
  });
});

const row = (target: (typeof targets)[number], status: string, trial: Trial) => ({
  ...{ target, file: fileOf(target), status, trial },
  sizeBytes: `the product on bun-${target}`.length,
});
