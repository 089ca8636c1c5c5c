import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { withManifest } from "../../../../tests/fixtures/hostile-archives/build-zip.ts";
import { hostileArchives } from "../../../../tests/fixtures/hostile-archives/hostile-archives.ts";
import { StartFailure } from "../runtime.ts";
import { createPackageSource } from "./package-source.ts";
import { PackageError } from "./read-zip.ts";

const trust = {
  keys: [],
  allowUnsigned: true,
  allowNative: false,
  now: new Date(),
  bundled: new Map(),
  pinnedKeyId: null,
};

/** Everything that a server does with a stored package, up to its files on the disk. */
const install = async (bytes: Uint8Array): Promise<{ outcome: unknown; written: string[] }> => {
  const folder = await mkdtemp(join(tmpdir(), "hostile-archive-"));
  const source = createPackageSource({
    ...{ folder: join(folder, "plugins"), bundled: [] },
    objects: { get: async () => new Uint8Array(bytes) },
  });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const place = { name: "hostile", version: "1.0.0", sha256, objectKey: "hostile.zip", storedAt: null };
  const outcome = await source.open(place, trust).catch((error: unknown) => error);
  const written = await readdir(folder, { recursive: true });
  await rm(folder, { recursive: true });
  return { outcome, written };
};

/** Why it was refused. */
const codeOf = (outcome: unknown): unknown => {
  const cause = outcome instanceof StartFailure ? outcome.cause : outcome;
  return cause instanceof PackageError ? cause.code : outcome;
};

describe("P1: refused with its code, in less than two seconds, with nothing written: an archive with", () => {
  test.each(hostileArchives.map(({ what, ...archive }) => [what, archive] as const))(
    "%s",
    async (_what, { code, build }) => {
      const bytes = build();
      const processorMs = startProcessorTime();
      const { outcome, written } = await install(bytes);
      expect(processorMs()).toBeLessThan(2_000);
      expect(codeOf(outcome)).toBe(code);
      expect(written).toEqual([]);
    },
  );
});

test("P1: an archive with nothing wrong in it is taken by the very same steps", async () => {
  const { outcome, written } = await install(withManifest([{ name: "backend/a.js", content: "x" }]));
  expect(outcome).toMatchObject({ manifest: { name: "hostile" } });
  expect(written.filter((path) => path.endsWith(".zip"))).toHaveLength(1);
});

test("P1: there are 60 hostile archives and more, no two of them with the same bytes", () => {
  const hashes = hostileArchives.map(({ build }) => Bun.hash(build()));
  expect(new Set(hashes).size).toBe(hostileArchives.length);
  expect(hostileArchives.length).toBeGreaterThanOrEqual(60);
});

test("P1: none of them takes more than 150 MB of memory", async () => {
  const script = join(import.meta.dir, "../../../../tests/fixtures/hostile-archives/measure-memory.ts");
  const child = Bun.spawn([process.execPath, script], { stderr: "inherit" });
  const measured: { what: string; grownBytes: number }[] = JSON.parse(
    await new Response(child.stdout).text(),
  );
  expect(measured).toHaveLength(hostileArchives.length);
  expect(measured.filter(({ grownBytes }) => grownBytes > 150_000_000)).toEqual([]);
});
