import { expect, test } from "bun:test";
import { decodePercent, readLeniently } from "./decode.ts";

test("percent-encoded bytes are read as UTF-8, and what is no escape stays", () => {
  const cases: [written: string, read: string][] = [
    ["a%20b", "a b"],
    ["%3Cscript%3e", "<script>"],
    ["100% sure, 50%zz, %", "100% sure, 50%zz, %"],
    ["%c3%a9", "é"],
    ["%F0%9F%99%82", "🙂"],
    ["%u0027%u003c x", "'< x"],
    ["%2527", "%27"],
  ];
  for (const [written, read] of cases) expect(decodePercent(written)).toBe(read);
});

test("overlong forms are read as what lenient servers take them for", () => {
  for (const written of ["%c0%af", "%e0%80%af", "%f0%80%80%af"]) expect(decodePercent(written)).toBe("/");
  expect(decodePercent("%c0%ae%c0%ae")).toBe("..");
});

test("bytes that are no UTF-8 are read as Latin-1, one by one", () => {
  expect(readLeniently([0xbc, 0x73, 0xe9])).toBe("\u00bcs\u00e9");
  expect(decodePercent("%e9t%e9")).toBe("été");
});
