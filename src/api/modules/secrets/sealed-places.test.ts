import { expect, test } from "bun:test";
import { sourceFiles } from "../../../../tests/repository/source-files.ts";
import { briefSeals, keyCheckPlace, sealedPlaces } from "./sealed-places.ts";

/**
 * What a file seals, as `purpose table:column`, read from its calls of `….seal(purpose, place, …)`. Both are texts in the
 * file itself, or names of constants and functions that are; what is not is shown as it is written, behind the path.
 */
const findSeals = (path: string, source: string): string[] =>
  [...source.matchAll(/\.seal\(\s*/g)].map(({ index, 0: call }) => {
    const [purpose = "", place = ""] = argumentsFrom(source.slice(index + call.length));
    const [read, where] = [textOf(source, purpose), textOf(source, place)];
    if (read === null || where === null) return `${path}: ${read ?? purpose} ${placeIn(where ?? place)}`;
    return `${read} ${placeIn(where)}`;
  });

/** The arguments of a call, as written, up to its closing bracket. */
const argumentsFrom = (text: string): string[] => {
  const found = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth < 0) break;
    if (character === "," && depth === 0) found.push("");
    else found[found.length - 1] += character;
  }
  return found.map((each) => each.trim());
};

/** The text that an expression stands for: its own, or that of the constant or function that it names. */
const textOf = (source: string, expression: string): string | null => {
  const own = /^["'`]([^"'`]*)/.exec(expression);
  if (own !== null) return own[1] ?? "";
  const name = /^\w+/.exec(expression)?.[0] ?? "";
  return new RegExp(`const ${name}\\b[^;]*?["'\`]([^"'\`]*)["'\`]`).exec(source)?.[1] ?? null;
};

const placeIn = (text: string): string => text.split(":").slice(0, 2).join(":");

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
