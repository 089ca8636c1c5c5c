import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { type Aliases, type SourceFile, throughAlias } from "./find-import-violations.ts";
import { aliases, sourceFiles } from "./source-files.ts";
import { valueImportsOf } from "./transpile.ts";

const file = (name: string, text: string) => ({ path: `src/${name}.ts`, text });

/** Three files, the first of which imports the third through the second, by value and back by type. */
const planted = [
  file("one", `export { two } from "./two.ts";`),
  file("two", `import { three } from "#api/three.ts";\nexport const two = three;`),
  file("api/three", `import type { One } from "../one.ts";\nexport const three: One = 3;`),
];

describe("imports that lead back to their own file", () => {
  const files = sourceFiles("src");

  test("a circle is found, and one of types only where types are read", () => {
    expect(findCircles(planted, aliases, "type")).toEqual([["src/api/three.ts", "src/one.ts", "src/two.ts"]]);
    expect(findCircles(planted, aliases, "value")).toEqual([]);
    const back = file("api/three", `import { one } from "../one.ts";\nexport const three = one;`);
    expect(findCircles([...planted.slice(0, 2), back], aliases, "value")).toHaveLength(1);
  });

  test("no file needs itself in order to run", () => {
    expect(findCircles(files, aliases, "value")).toEqual([]);
  });

  test("at most two pairs of files know each other's types", () => {
    const circles = findCircles(files, aliases, "type");
    expect(circles.filter((paths) => paths.length > 2)).toEqual([]);
    expect(circles.length).toBeLessThanOrEqual(2);
  });
});

/** Which imports make a circle: those that remain at run time, or types as well. */
type Reading = "value" | "type";

/**
 * The circles of imports among `files`, each as its sorted paths: files that import each other, directly or through others
 * of the circle. Tarjan's algorithm for strongly connected components.
 */
const findCircles = (files: readonly SourceFile[], aliases: Aliases, reading: Reading): string[][] => {
  const paths = new Set(files.map(({ path }) => path));
  const graph = new Map(
    files.map((file) => [file.path, targetsOf(file, aliases, reading).filter((path) => paths.has(path))]),
  );
  const reached = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  const visit = (path: string): number => {
    const own = reached.size;
    let lowest = own;
    reached.set(path, own);
    open.push(path);
    for (const target of graph.get(path) ?? []) {
      const known = reached.get(target);
      if (known === undefined) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, known);
    }
    if (lowest === own) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };

  for (const path of graph.keys()) if (!reached.has(path)) visit(path);
  return circles;
};

const targetsOf = (file: SourceFile, aliases: Aliases, reading: Reading): string[] => {
  const specifiers = reading === "value" ? valueImportsOf(file) : allImportsOf(file);
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith(".")) return [join(dirname(file.path), specifier)];
    return throughAlias(specifier, aliases) ?? [];
  });
};

// Bun's scan drops types, so they are read from the text: the formatter leaves one way to write an import.
const statement = /^(?:import|export)\b[^;"'`]*?\bfrom\s*"([^"]+)"/gm;
const called = /\bimport\(\s*"([^"]+)"\s*\)/g;

const allImportsOf = (file: SourceFile): string[] =>
  [...file.text.matchAll(statement), ...file.text.matchAll(called)].flatMap(([, path]) => path ?? []);
