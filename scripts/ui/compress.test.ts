import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { projectRoot } from "../project-root.ts";
import { compressAll } from "./compress.ts";

const read = (path: string) => new Uint8Array(readFileSync(join(projectRoot, path)));
const texts = ["scripts/ui/critical-css.ts", "src/ui/routes.tsx", "src/ui/fonts/OFL.txt"].map(read);
const brotliOf = (bytes: Uint8Array, isTight: boolean) => compressAll(bytes, { isTight }).get("br") ?? bytes;

test("every coding holds the bytes that went in, and none is larger than they are", () => {
  for (const bytes of texts) {
    const coded = compressAll(bytes, { isTight: true });
    expect([...coded.keys()]).toEqual(["br", "zstd", "gzip", "identity"]);
    for (const { byteLength } of coded.values()) expect(byteLength).toBeLessThanOrEqual(bytes.byteLength);
    const [br, zstd, gzip] = [...coded.values()].map((each) => new Uint8Array(each));
    expect(new Uint8Array(brotliDecompressSync(br ?? bytes))).toEqual(bytes);
    expect(new Uint8Array(Bun.zstdDecompressSync(zstd ?? bytes))).toEqual(bytes);
    expect(new Uint8Array(gunzipSync(gzip ?? bytes))).toEqual(bytes);
  }
  expect([...compressAll(new Uint8Array([1])).keys()]).toEqual(["identity"]);
});

test("of the ways to write distances the shortest is kept", () => {
  const savings = texts.map((bytes) => brotliOf(bytes, false).byteLength - brotliOf(bytes, true).byteLength);
  for (const saved of savings) expect(saved).toBeGreaterThanOrEqual(0);
  expect(Math.max(...savings)).toBeGreaterThan(0);
});
