import { describe, expect, test } from "bun:test";
import { sourceFiles } from "./source-files.ts";

/** The ids that titles in a test file begin with, such as `Z1` in `"Z1: no header grants a right"`. */
const findCheckIds = (source: string): string[] =>
  [...source.matchAll(/["'`]([A-Z]{1,2}\d{1,2}(?:, [A-Z]{1,2}\d{1,2})*): /g)].flatMap(
    (match) => match[1]?.split(", ") ?? [],
  );

/** What a row of docs/security-checks.md says of an id. */
type CheckRow = { promise: string; files: string[] };

/** The rows of docs/security-checks.md by id. */
const readCheckTable = (markdown: string): Map<string, CheckRow> =>
  new Map(
    [...markdown.matchAll(/^\| ([A-Z]{1,2}\d{1,2}) \| (.*?) \| (.*?) \|$/gm)].map(
      ([, id = "", promise = "", where = ""]) => {
        const files = [...where.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
        return [id, { promise, files }];
      },
    ),
  );

const [page] = sourceFiles("docs/security-checks.md");
const table = readCheckTable(page?.text ?? "");
const tests = sourceFiles("src", "tests").filter(({ path }) => /\.test\.tsx?$/.test(path));
const idsOf = new Map(tests.map(({ path, text }) => [path, findCheckIds(text)]));

describe("docs/security-checks.md", () => {
  test("explains every id that a test's title begins with", () => {
    const unexplained = [...idsOf].flatMap(([path, ids]) =>
      ids.filter((id) => !table.has(id)).map((id) => `${id} in ${path}`),
    );
    expect(unexplained).toEqual([]);
  });

  test("names for each id a test file, and only such that have it", () => {
    expect(table.size).toBeGreaterThan(30);
    const untrue = [...table].flatMap(([id, { files }]) =>
      files.length === 0
        ? [`${id} without a file`]
        : files.filter((path) => !idsOf.get(path)?.includes(id)).map((path) => `${id} in ${path}`),
    );
    expect(untrue).toEqual([]);
  });

  test("says of each id what is promised, in one line, and has no id twice", () => {
    expect([...table].filter(([, { promise }]) => promise.length < 20).map(([id]) => id)).toEqual([]);
    const rows = (page?.text ?? "").match(/^\| [A-Z]{1,2}\d+ \|/gm) ?? [];
    expect(rows.length).toBe(table.size);
  });
});

// How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are numbered from 1, before those of level 3.
const requirements: Record<string, number> = {
  ...{ "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
  ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2 },
  ...{ "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3 },
};

test("docs/security-checks.md names for each requirement of ASVS a test or a reason", () => {
  const rows = [...(page?.text ?? "").matchAll(/^\| (\d+\.\d+)\.(\d+)(?:–(\d+))? \| .+ \| (.+) \|$/gm)];
  const told = rows.flatMap(([, section, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${section}.${Number(first) + at}`),
  );
  const all = Object.entries(requirements).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
  );
  expect(told).toEqual(all);
  const bare = rows.filter(([, , , , where = ""]) => !/`\S+\.test\.ts`/.test(where) && where.length < 30);
  expect(bare.map(([row]) => row)).toEqual([]);
});

test("ids are seen at the beginning of titles, several too, and nowhere else", () => {
  const colon = ":";
  const text = `test("A1${colon} b", …); describe('T5, C2${colon} x', …); test(\`E9${colon} \${x}\`); // see Z1${colon} there
    ["W3${colon} a row", 1]; expect("UTF-8${colon} no"); const x = { "H1": 1 };`;
  expect(findCheckIds(text)).toEqual(["A1", "T5", "C2", "E9", "W3"]);
});
