import { describe, expect, test } from "bun:test";
import { sourceFiles } from "../../tests/repository/source-files.ts";
import { againCommand } from "./run-suite.ts";
import { filesOf, type Suite, suites, testsOnDatabase } from "./suites.ts";

const all: readonly Suite[] = Object.values(suites);
const isIn = (path: string, { paths }: Suite) => paths.some((root) => path.startsWith(`${root}/`));
const runs = (path: string, suite: Suite) => isIn(path, suite) && !suite.leftOut.includes(path);

/** The test files that `bun run test` would never run. */
const orphans = (paths: readonly string[], among = all) =>
  paths.filter((path) => !among.some((suite) => runs(path, suite)));

/** What a suite names in vain: files that are not there, or not its own. */
const straysOf = (suite: Suite, tests: readonly string[]): string[] =>
  [
    ...(suite.sideBySide?.files ?? []),
    ...suite.leftOut,
    ...("only" in suite.quick ? suite.quick.only : suite.quick.allBut),
  ].filter((path) => !isIn(path, suite) || !tests.includes(path));

describe("the suites", () => {
  const tests = sourceFiles("src", "scripts", "tests").flatMap(({ path }) =>
    /\.test\.tsx?$/.test(path) ? [path] : [],
  );

  test("together run every test file", () => {
    expect(tests.length).toBeGreaterThan(50);
    expect(orphans(tests)).toEqual([]);
    expect(orphans(["tests/elsewhere/planted.test.ts"])).toEqual(["tests/elsewhere/planted.test.ts"]);
    const [left = ""] = suites.unit.leftOut;
    expect(orphans([left], [suites.unit])).toEqual([left]);
  });

  test("look nowhere in vain", () => {
    const barren = all.flatMap(({ paths }) =>
      paths.filter((root) => !tests.some((path) => path.startsWith(`${root}/`))),
    );
    expect(barren).toEqual([]);
  });

  test("name only files of their own to run side by side, quickly or not at all, and each that they name is there", () => {
    const strays = all.flatMap((suite) => straysOf(suite, tests));
    expect(strays).toEqual([]);
    const planted = { ...suites.faults, leftOut: ["tests/faults/absent.test.ts"] };
    expect(straysOf(planted, tests)).toEqual(["tests/faults/absent.test.ts"]);
  });

  test("run each of their files in the quick tier or in the rest, and none in both", () => {
    for (const suite of all) {
      const quick = filesOf(suite, "quick");
      const rest = filesOf(suite, "rest");
      expect(quick).not.toEqual([]);
      expect([...quick, ...rest].sort()).toEqual(filesOf(suite, "all"));
    }
  });

  test("leave out what a suite on the other kind of database runs", () => {
    const { unit, services } = suites;
    expect(orphans(services.leftOut, [unit])).toEqual([]);
    expect(orphans(unit.leftOut, [services])).toEqual([]);
    expect(testsOnDatabase(unit.leftOut)).toEqual([...unit.leftOut]);
  });
});

test("a failed test is run again alone, and in random order with what ran before it", () => {
  const file = "src/api/app.test.ts";
  expect(againCommand({ name: "unit", seed: null }, file, "it's (not) taken")).toBe(
    `bun run test unit ${file} -t 'it.s \\(not\\) taken'`,
  );
  expect(againCommand({ name: "unit", seed: 11 }, file, "a title")).toBe(
    `bun run test unit ${file} --seed=11`,
  );
});
