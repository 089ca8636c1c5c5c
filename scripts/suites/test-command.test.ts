import { describe, expect, test } from "bun:test";
import { allSuites } from "./suites.ts";
import { readTestCommand } from "./test-command.ts";

describe("the words after `bun run test`", () => {
  test("none mean the checks and the quick part of every suite", () => {
    expect(readTestCommand([])).toEqual({
      withCheck: true,
      tier: "quick",
      suites: allSuites,
      isFull: false,
      isVerbose: false,
      seed: null,
      paths: [],
      flags: [],
    });
  });

  test("`all` and `full` mean every file, and `rest` those that the quick part leaves out, without the checks", () => {
    expect(readTestCommand(["all"])).toMatchObject({ withCheck: true, tier: "all", isFull: false });
    expect(readTestCommand(["full"])).toMatchObject({ withCheck: true, tier: "all", isFull: true });
    expect(readTestCommand(["rest"])).toMatchObject({ withCheck: false, tier: "rest", suites: allSuites });
  });

  test("a suite runs alone and whole, unless a tier is named, and without the checks", () => {
    expect(readTestCommand(["unit"])).toMatchObject({ withCheck: false, tier: "all", suites: ["unit"] });
    expect(readTestCommand(["quick", "unit"])).toMatchObject({ withCheck: false, tier: "quick" });
    expect(readTestCommand(["faults", "full"])).toMatchObject({ suites: ["faults"], isFull: true });
  });

  test("paths and flags are told apart, with and without the dashes that a package runner may swallow", () => {
    const expected = { suites: ["unit"], paths: ["src/api"], flags: ["-t", "a title"], isVerbose: true };
    expect(readTestCommand(["unit", "--", "src/api", "-t", "a title"])).toMatchObject(expected);
    expect(readTestCommand(["unit", "src/api", "-t", "a title"])).toMatchObject(expected);
  });

  test("a tier before a path keeps to the tier's files, told of as the tier's are", () => {
    const words = ["quick", "unit", "src/cli"];
    expect(readTestCommand(words)).toMatchObject({ tier: "quick", paths: ["src/cli"], isVerbose: false });
  });

  test("`--verbose` may stand anywhere and is not passed on", () => {
    const command = readTestCommand(["all", "--verbose"]);
    expect(command).toMatchObject({ withCheck: true, tier: "all", isVerbose: true, flags: [] });
  });

  test("`--randomize` picks a seed for the whole run, and `--seed` repeats the order of an earlier one", () => {
    const random = readTestCommand(["rest", "--randomize"]);
    expect(random).toMatchObject({ tier: "rest", isVerbose: false, seed: expect.any(Number), flags: [] });
    for (const words of [
      ["unit", "--seed=11"],
      ["unit", "--randomize", "--seed=11"],
    ])
      expect(readTestCommand(words)).toMatchObject({ suites: ["unit"], tier: "all", seed: 11, flags: [] });
  });

  test("any other word gets a complaint that names it", () => {
    expect(readTestCommand(["unti"])).toContain("Unknown suite or path: unti");
    expect(readTestCommand(["unit", "e3e"])).toContain("Unknown suite or path: e3e");
  });
});
