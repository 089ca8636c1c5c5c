import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/project-root.ts";
import { type Suite, suites } from "../../scripts/suites/suites.ts";
import { allFaults } from "./all-faults.ts";
import type { PlantedFault } from "./planted-fault.ts";

const all: readonly Suite[] = Object.values(suites);

const isRun = (path: string, among: readonly Suite[]): boolean =>
  among.some(
    ({ paths, leftOut }) => paths.some((root) => path.startsWith(`${root}/`)) && !leftOut.includes(path),
  );

/** What keeps a fault from being planted, or from being seen where it says. */
const complaintsOf = ({ name, file, replace, by, seenBy, onPostgres }: PlantedFault): string[] => {
  if (!existsSync(join(projectRoot, file))) return [`${name}: ${file} does not exist`];
  const times = readFileSync(join(projectRoot, file), "utf8").split(replace).length - 1;
  const among = onPostgres ? all.filter((suite) => suite.onPostgres) : all;
  return [
    ...(times === 1 ? [] : [`${name}: its text stands ${times} times in ${file}`]),
    ...(by === replace ? [`${name}: nothing is changed`] : []),
    ...seenBy.flatMap((path) =>
      existsSync(join(projectRoot, path)) && path.includes(".test.ts") && isRun(path, among)
        ? []
        : [`${name}: no suite runs ${path}`],
    ),
    ...(new Set(seenBy).size === seenBy.length ? [] : [`${name}: a test file is named twice`]),
  ];
};

describe("the planted faults", () => {
  test("have names of their own", () => {
    const names = allFaults.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("fit the sources, and name tests that a suite runs", () => {
    expect(allFaults.flatMap(complaintsOf)).toEqual([]);
    const [fault] = allFaults;
    const spoiled: Partial<PlantedFault>[] = [
      { file: "src/absent.ts" },
      { replace: "text that stands nowhere in it" },
      { by: fault?.replace ?? "" },
      { seenBy: ["tests/absent/absent.test.ts"] },
      { seenBy: ["tests/planted-faults/planted-fault.ts"] },
    ];
    for (const change of spoiled) expect(fault && complaintsOf({ ...fault, ...change })).toHaveLength(1);
  });

  test("say what each breaks, in a sentence", () => {
    const unsaid = allFaults.filter(({ breaks }) => !/^[A-Z].{20,}\.$/.test(breaks));
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });
});
