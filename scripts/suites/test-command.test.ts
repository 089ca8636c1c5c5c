import { describe, expect, test } from "bun:test";
import { allSuites } from "./suites.ts";
import { readTestCommand } from "./test-command.ts";

describe("the words after `bun run test`", () => {
  test("none mean the check and every suite", () => {
    expect(readTestCommand([])).toEqual({
      withCheck: true,
      suites: allSuites,
      isFull: false,
      paths: [],
      flags: [],
    });
  });

  test("`full` means the same at full size", () => {
    expect(readTestCommand(["full"])).toMatchObject({ withCheck: true, suites: allSuites, isFull: true });
  });

  test("a suite runs alone, without the check", () => {
    expect(readTestCommand(["unit"])).toMatchObject({ withCheck: false, suites: ["unit"] });
    expect(readTestCommand(["faults", "full"])).toMatchObject({ suites: ["faults"], isFull: true });
  });

  test("paths and flags are told apart, with and without the dashes that a package runner may swallow", () => {
    const expected = { suites: ["unit"], paths: ["src/api"], flags: ["-t", "a title"] };
    expect(readTestCommand(["unit", "--", "src/api", "-t", "a title"])).toMatchObject(expected);
    expect(readTestCommand(["unit", "src/api", "-t", "a title"])).toMatchObject(expected);
  });

  test("a word that is nothing of these is a complaint that names it", () => {
    expect(readTestCommand(["unti"])).toContain("Unknown suite: unti");
    expect(readTestCommand(["unit", "e3e"])).toContain("Unknown suite: e3e");
  });
});
