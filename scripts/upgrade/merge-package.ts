/**
 * `bun scripts/upgrade/merge-package.ts base ours theirs`: how git merges package.json when a product and Atrium have both changed
 * it. Field by field, into `ours`; ends with 1, and leaves the file, where both gave a field another value.
 */
import { readFileSync, writeFileSync } from "node:fs";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a product says about itself, and the version of Atrium, whatever the other side says. */
const owned: Record<string, "ours" | "theirs"> = {
  ...{
    name: "ours",
    description: "ours",
    license: "ours",
    author: "ours",
    homepage: "ours",
    repository: "ours",
  },
  ...{ keywords: "ours", version: "theirs" },
};

type Sides = Record<"base" | "ours" | "theirs", Json | undefined>;

/** The merged value, `undefined` for a field that is gone; adds to `conflicts` the path of a field that both changed. */
export const mergePackage = (
  sides: Sides,
  conflicts: string[],
  path: readonly string[] = [],
): Json | undefined => {
  const { base, ours, theirs } = sides;
  if (Bun.deepEquals(ours, base)) return theirs;
  if (Bun.deepEquals(theirs, base) || Bun.deepEquals(ours, theirs)) return ours;
  if (isFields(ours) && isFields(theirs)) {
    const merged: { [key: string]: Json } = {};
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const below = { base: isFields(base) ? base[key] : undefined, ours: ours[key], theirs: theirs[key] };
      const value = mergePackage(below, conflicts, [...path, key]);
      if (value !== undefined) merged[key] = value;
    }
    return merged;
  }
  const owner = path.length === 1 ? owned[path[0] ?? ""] : undefined;
  if (owner !== undefined) return sides[owner];
  conflicts.push(path.join("."));
  return ours;
};

const isFields = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

if (import.meta.main) {
  const [base = "", ours = "", theirs = ""] = process.argv.slice(2);
  const read = (path: string): Json => JSON.parse(readFileSync(path, "utf8") || "{}");
  const conflicts: string[] = [];
  const merged = mergePackage({ base: read(base), ours: read(ours), theirs: read(theirs) }, conflicts);
  if (conflicts.length > 0) {
    console.error(`package.json: you and Atrium both changed ${conflicts.join(", ")}`);
    process.exit(1);
  }
  writeFileSync(ours, `${JSON.stringify(merged, null, 2)}\n`);
}
