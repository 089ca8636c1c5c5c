import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { projectRoot } from "../project-root.ts";
import { compressAll } from "./compress.ts";

const read = (path: string) => new Uint8Array(readFileSync(join(projectRoot, path)));
const texts = ["scripts/ui/critical-css.ts", "src/ui/routes.tsx", "src/ui/fonts/OFL.txt"].map(read);

test("every coding that is asked for holds the bytes that went in, and none is larger than they are", async () => {
  for (const bytes of texts) {
    const coded = await compressAll(bytes, ["br", "zstd", "gzip"]);
    expect([...coded.keys()]).toEqual(["br", "zstd", "gzip"]);
    for (const { byteLength } of coded.values()) expect(byteLength).toBeLessThan(bytes.byteLength);
    const [br, zstd, gzip] = [...coded.values()].map((each) => new Uint8Array(each));
    expect(new Uint8Array(brotliDecompressSync(br ?? bytes))).toEqual(bytes);
    expect(new Uint8Array(Bun.zstdDecompressSync(zstd ?? bytes))).toEqual(bytes);
    expect(new Uint8Array(gunzipSync(gzip ?? bytes))).toEqual(bytes);
    expect([...(await compressAll(bytes, ["gzip"])).keys()]).toEqual(["gzip"]);
  }
  expect((await compressAll(new Uint8Array([1]), ["br", "zstd", "gzip"])).size).toBe(0);
});
