import { expect, test } from "bun:test";
import { findSeed } from "#api/db/bundled-files.ts";
import { type ClusterFiles, crc32c, sealCluster } from "./build-seed.ts";

const readSeed = async (): Promise<ClusterFiles> => {
  const tar = await Bun.zstdDecompress(await Bun.file(findSeed() ?? "").bytes());
  const files = await new Bun.Archive(tar).files();
  return Object.fromEntries(
    await Promise.all([...files].map(async ([path, file]) => [path, await file.bytes()] as const)),
  );
};

/** The same cluster with the number, the nonce and the time that another machine would have given it. */
const madeElsewhere = (files: ClusterFiles, chance: number): ClusterFiles => {
  const control = (files["global/pg_control"] ?? new Uint8Array()).slice();
  const view = new DataView(control.buffer);
  const crcAt = [...Array(512).keys()].find(
    (at) => at > 200 && at % 4 === 0 && view.getUint32(at, true) === crc32c(control.subarray(0, at)),
  );
  if (crcAt === undefined) throw new Error("the control file has no checksum");
  for (const at of [0, 24, 104, crcAt - 20]) control[at] = chance;
  view.setUint32(crcAt, crc32c(control.subarray(0, crcAt)), true);
  return { ...files, "global/pg_control": control };
};

test("the checksum is Castagnoli's, also in pieces", () => {
  const text = new TextEncoder().encode("123456789");
  expect(crc32c(text)).toBe(0xe3069283);
  expect(crc32c(text.subarray(4), crc32c(text.subarray(0, 4)))).toBe(0xe3069283);
});

test("clusters that differ in chance and time alone are the same bytes once they are sealed", async () => {
  const seed = await readSeed();
  const [one, other] = [madeElsewhere(seed, 1), madeElsewhere(seed, 2)];
  expect(Bun.deepEquals(one, other)).toBe(false);
  expect(Bun.deepEquals(sealCluster(one), sealCluster(other))).toBe(true);
});

test("a cluster of another version is refused", async () => {
  const seed = await readSeed();
  const control = (seed["global/pg_control"] ?? new Uint8Array()).slice();
  const view = new DataView(control.buffer);
  view.setUint32(8, 1700, true);
  expect(() => sealCluster({ ...seed, "global/pg_control": control })).toThrow();
});
