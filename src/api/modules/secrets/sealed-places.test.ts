import { expect, test } from "bun:test";
import { sourceFiles } from "../../../../tests/repository/source-files.ts";
import { findSeals } from "../../testing/find-seals.ts";
import { briefSeals, keyCheckPlace, sealedPlaces } from "./sealed-places.ts";

const files = sourceFiles("src").filter(
  ({ path }) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\/|modules\/secrets\//.test(path),
);
const stored = [...sealedPlaces, keyCheckPlace].map(
  ({ purpose, table, column }) => `${purpose} ${table}:${column}`,
);

test("S6: everything that is sealed anywhere in the source is sealed again by a change of key, or lives for minutes", () => {
  const sealed = new Set(files.flatMap(({ path, text }) => findSeals(path, text)));
  expect([...sealed].sort()).toEqual([...stored, ...Object.keys(briefSeals)].sort());
});

test("and the guard sees one that is not, whatever it is called, and one whose purpose or place it cannot read", () => {
  const planted = `
    const what = "planted";
    const whereOf = (id: string): string => \`planted_rows:value:\${id}\`;
    const seal = (box, id) => box.seal(what, whereOf(id), bytes);
    ctx.secrets.seal("direct", "direct_rows:value:1", bytes);
    secrets.seal(readPurpose(), whereOf(id), bytes);`;
  expect(findSeals("src/planted.ts", planted)).toEqual([
    "planted planted_rows:value",
    "direct direct_rows:value",
    "src/planted.ts: readPurpose() planted_rows:value",
  ]);
});
