import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/project-root.ts";
import { findPlace } from "../../scripts/suites/plant-faults.ts";
import { allFaults, type PlantedFault } from "./all-faults.ts";

/** What keeps a fault from being planted, or from being seen where it says. */
const complaintsOf = (fault: PlantedFault): string[] => {
  const { name, file, replace, by, seenBy } = fault;
  if (!existsSync(join(projectRoot, file))) return [`${name}: ${file} does not exist`];
  const times = readFileSync(join(projectRoot, file), "utf8").split(replace).length - 1;
  return [
    ...(times === 1 ? [] : [`${name}: its text occurs ${times} times in ${file}`]),
    ...(by === replace ? [`${name}: nothing is changed`] : []),
    ...seenBy.flatMap((path) => (findPlace(path, fault) === null ? [`${name}: no suite runs ${path}`] : [])),
    ...(seenBy.length > 0 ? [] : [`${name}: no test sees it`]),
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
      { seenBy: [] },
      { seenBy: ["tests/absent/absent.test.ts"] },
      { seenBy: ["tests/planted-faults/auth.txt"] },
    ];
    for (const change of spoiled) expect(fault && complaintsOf({ ...fault, ...change })).toHaveLength(1);
  });

  test("say what each breaks, in a sentence", () => {
    const unsaid = allFaults.filter(({ breaks }) => !/^\S.{20,}\.$/.test(breaks));
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });

  test("are many, and the quick tests name nine of ten", () => {
    expect(allFaults.length).toBeGreaterThanOrEqual(80);
    const quick = allFaults.filter((fault) => fault.seenBy.some((path) => findPlace(path, fault)?.isQuick));
    expect(quick.length / allFaults.length).toBeGreaterThanOrEqual(0.9);
  });
});
