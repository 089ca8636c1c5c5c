import { dirname, join } from "node:path";
import { type Aliases, type SourceFile, throughAlias } from "./find-import-violations.ts";
import { valueImportsOf } from "./transpile.ts";

/** Which imports make a circle: those that remain at run time, or types as well. */
export type Reading = "value" | "type";

/**
 * The circles of imports among `files`, each as its sorted paths: files that import each other, directly or through others
 * of the circle. Tarjan's algorithm for strongly connected components.
 */
export const findCircles = (files: readonly SourceFile[], aliases: Aliases, reading: Reading): string[][] => {
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
