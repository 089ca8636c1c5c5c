import { describe, expect, test } from "bun:test";
import { compilePattern } from "./compile-pattern.ts";
import { compareVersions, isInRange, isRange } from "./versions.ts";

test("what is no range is none, and holds no version", () => {
  for (const range of ["garbage!!", "", "^", "latest", "1.2.3.4", "^1.0.0\n", "a".repeat(200)]) {
    expect(isRange(range)).toBe(false);
    expect(isInRange("1.2.3", range)).toBe(false);
  }
});

test("a version lies in the ranges of npm, a pre-release only where it is named", () => {
  expect(isInRange("1.2.3", "^1.0.0")).toBe(true);
  expect(isInRange("2.0.0", "^1.0.0")).toBe(false);
  expect(isInRange("1.2.3", "*")).toBe(true);
  expect(isInRange("1.2.3", ">=1 <2 || 3.x")).toBe(true);
  expect(isInRange("2.0.0-rc.1", ">=1.0.0")).toBe(false);
  expect(isInRange("no version", "*")).toBe(false);
});

test("versions are ordered by number, and pre-releases come before what they announce", () => {
  expect(compareVersions("1.10.0", "1.9.9")).toBe(1);
  expect(compareVersions("1.0.0-rc.2", "1.0.0")).toBe(-1);
  expect(compareVersions("1.0.0+a", "1.0.0+b")).toBe(0);
});

describe("patterns of strangers", () => {
  test("mean what browsers understand", () => {
    expect(compilePattern("^\\p{L}+$")("Ärger")).toBe(true);
    expect(compilePattern("b")("abc")).toBe(true);
    expect(compilePattern("^.$")("😀")).toBe(true);
    expect(compilePattern("^\\u00e9\\d{2}$")("é42")).toBe(true);
  });

  test("are refused where they need look-around or look back, or are none", () => {
    for (const pattern of ["(?=a)", "(?<!a)b", "(a)\\1", "(", "[z-a]", "(a{1000}){1000}"])
      expect(() => compilePattern(pattern)).toThrow();
  });

  test("take no more time than the text is long, whatever they are", () => {
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "(.*a){20}$", "(a|aa)+$"]) {
      const fits = compilePattern(pattern);
      const began = performance.now();
      fits(`${"a".repeat(5_000)}!`);
      expect(performance.now() - began).toBeLessThan(500);
    }
  });
});
