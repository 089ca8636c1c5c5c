import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createShelf } from "./shelf.ts";

const folder = mkdtempSync(join(tmpdir(), "atrium-shelf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = new TextEncoder().encode("all of it the same ".repeat(50));

test("a shelf has every coding, a quick one what costs no time", async () => {
  for (const [name, isQuick, codings] of [
    ["whole", false, ["br", "gzip", "identity"]],
    ["quick", true, ["gzip", "identity"]],
  ] as const) {
    const shelf = createShelf(join(folder, name), isQuick);
    const { files, type } = await shelf.store("page.html", bytes, false);
    expect([Object.keys(files).sort(), type]).toEqual([[...codings], "text/html; charset=utf-8"]);
    const { files: forms, isPacked } = await shelf.storePacked("large.html", bytes);
    expect([Object.keys(forms).sort(), isPacked]).toEqual([[...codings], true]);
    const unpacked = (file: string, unpack: (coded: Buffer) => Buffer) =>
      new Uint8Array(unpack(readFileSync(join(folder, name, file))));
    expect(unpacked(forms.identity, gunzipSync)).toEqual(bytes);
    if (forms.br !== undefined) expect(unpacked(forms.br, brotliDecompressSync)).toEqual(bytes);
  }
});

test("what gets no smaller is kept as it is", async () => {
  const shelf = createShelf(join(folder, "small"), false);
  const one = new Uint8Array([1]);
  expect((await shelf.store("icon.png", bytes, true)).files).toEqual({ identity: "icon.png" });
  const small = await shelf.storePacked("small.js", one);
  expect([small.files, small.isPacked]).toEqual([{ identity: "small.js" }, undefined]);
  expect(readdirSync(join(folder, "small")).sort()).toEqual(["icon.png", "small.js"]);
});
