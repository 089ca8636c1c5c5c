import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createShelf } from "./shelf.ts";

const folder = mkdtempSync(join(tmpdir(), "atrium-shelf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = new TextEncoder().encode("all of it the same ".repeat(50));

test("a shelf has every coding, a quick one what costs no time", async () => {
  for (const [name, isQuick, codings, packed] of [
    ["whole", false, ["br", "gzip", "identity", "zstd"], ["br", "gzip", "identity"]],
    ["quick", true, ["gzip", "identity"], ["gzip", "identity"]],
  ] as const) {
    const shelf = createShelf(join(folder, name), isQuick);
    const { files, type } = await shelf.store("page.html", bytes, false);
    expect([Object.keys(files).sort(), type]).toEqual([[...codings], "text/html; charset=utf-8"]);
    const { files: forms, isPacked } = await shelf.storePacked("large.html", bytes);
    expect([Object.keys(forms).sort(), isPacked]).toEqual([[...packed], true]);
    const kept = readFileSync(join(folder, name, forms.identity));
    expect(new Uint8Array(gunzipSync(kept))).toEqual(bytes);
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
