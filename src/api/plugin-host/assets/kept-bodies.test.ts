import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createKeptBodies } from "./kept-bodies.ts";

const script = "export default 1;\n".repeat(200);
const file = (key = "a", type = "text/javascript; charset=utf-8", text = script) => {
  let made = 0;
  return {
    times: () => made,
    ...{ key, type },
    make: () => {
      made += 1;
      return text;
    },
  };
};

test("a text is made and compressed once for each coding that readers ask for", async () => {
  const bodyOf = createKeptBodies();
  const asked = file();
  const br = await bodyOf(asked, "gzip, br");
  await bodyOf(asked, "gzip, br");
  expect([br.coding, brotliDecompressSync(br.bytes).toString()]).toEqual(["br", script]);
  const gzip = await bodyOf(asked, "gzip");
  expect([gzip.coding, gunzipSync(gzip.bytes).toString()]).toEqual(["gzip", script]);
  const plain = await bodyOf(asked, null);
  expect([plain.coding, new TextDecoder().decode(plain.bytes)]).toEqual([null, script]);
  expect(asked.times()).toBe(3);
});

test("pictures and small texts go as they are", async () => {
  const bodyOf = createKeptBodies();
  expect((await bodyOf(file("b", "image/png"), "br")).coding).toBe(null);
  expect((await bodyOf(file("c", "text/css", "a{}"), "br")).coding).toBe(null);
});

test("what nobody asked for lately is forgotten", async () => {
  const bodyOf = createKeptBodies();
  const first = file("first");
  await bodyOf(first, "br");
  for (let at = 0; at < 60; at += 1) await bodyOf(file(`${at}`, "text/css", "a{}"), "br");
  await bodyOf(first, "br");
  expect(first.times()).toBe(2);
});
