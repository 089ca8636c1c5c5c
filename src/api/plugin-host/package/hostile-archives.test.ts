import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { withManifest } from "../../../../tests/fixtures/hostile-archives/build-zip.ts";
import { hostileArchives } from "../../../../tests/fixtures/hostile-archives/hostile-archives.ts";
import { readPackage } from "./read-package.ts";
import { PackageError } from "./read-zip.ts";

const trust = {
  keys: [],
  allowUnsigned: true,
  allowNative: false,
  now: new Date(),
  bundled: () => null,
  pinnedKeyId: null,
};

/** Everything that uploading does with a package, which touches no disk. */
const read = (bytes: Uint8Array): Promise<unknown> =>
  readPackage(bytes, { trust }).catch((error: unknown) => error);

const codeOf = (outcome: unknown): unknown => (outcome instanceof PackageError ? outcome.code : outcome);

describe("P1: refused with its code, in less than two seconds: an archive with", () => {
  test.each(hostileArchives.map(({ what, ...archive }) => [what, archive] as const))(
    "%s",
    async (_what, { code, build }) => {
      const bytes = build();
      const processorMs = startProcessorTime();
      const outcome = await read(bytes);
      expect(processorMs()).toBeLessThan(2_000);
      expect(codeOf(outcome)).toBe(code);
    },
  );
});

test("P1: an archive with nothing wrong in it is taken by the very same steps", async () => {
  const outcome = await read(withManifest([{ name: "backend/a.js", content: "x" }]));
  expect(outcome).toMatchObject({ files: new Map([["backend/a.js", new TextEncoder().encode("x")]]) });
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
