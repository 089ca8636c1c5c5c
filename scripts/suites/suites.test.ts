import { describe, expect, test } from "bun:test";
import { sourceFiles } from "../../tests/repository/source-files.ts";
import { type Suite, suites } from "./suites.ts";

const all: readonly Suite[] = Object.values(suites);
const isIn = (path: string, { paths }: Suite) => paths.some((root) => path.startsWith(`${root}/`));

/** The test files that `bun run test` would never run. */
const orphans = (paths: readonly string[]) => paths.filter((path) => !all.some((suite) => isIn(path, suite)));

describe("the suites", () => {
  const tests = sourceFiles("src", "scripts", "tests").flatMap(({ path }) =>
    /\.test\.tsx?$/.test(path) ? [path] : [],
  );

  test("together run every test file", () => {
    expect(tests.length).toBeGreaterThan(50);
    expect(orphans(tests)).toEqual([]);
    expect(orphans(["tests/elsewhere/planted.test.ts"])).toEqual(["tests/elsewhere/planted.test.ts"]);
  });

  test("look nowhere in vain", () => {
    const barren = all.flatMap(({ paths }) =>
      paths.filter((root) => !tests.some((path) => path.startsWith(`${root}/`))),
    );
    expect(barren).toEqual([]);
  });

  test("name only files of their own to run two at once, and each that they name is there", () => {
    const strays = all.flatMap((suite) =>
      suite.twoAtOnce.filter((path) => !isIn(path, suite) || !tests.includes(path)),
    );
    expect(strays).toEqual([]);
  });
});
