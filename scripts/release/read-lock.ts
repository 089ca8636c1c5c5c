import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

/** A package as bun.lock has it: what the registry's archive hashes to, and what it needs, each as `name@version`. */
export type LockedPackage = { integrity: string; needs: ReadonlySet<string> };

/** The packages of bun.lock, by `name@version`. */
export const readLock = (text = readFileSync(join(projectRoot, "bun.lock"), "utf8")) => {
  const lock = Bun.JSONC.parse(text);
  const entries = Object.entries<unknown>(Reflect.get(Object(lock), "packages"));
  const rows = new Map(entries.flatMap(([key, entry]) => rowOf(key, entry)));
  const packages = new Map<string, LockedPackage>();
  for (const [key, { id, integrity, wants }] of rows) {
    const found = wants.flatMap((name) => rows.get(placeOf(rows, { key, name }))?.id ?? []);
    // The same version may lie at two places, with other neighbours.
    packages.set(id, { integrity, needs: new Set([...(packages.get(id)?.needs ?? []), ...found]) });
  }
  return packages;
};

type Row = { id: string; integrity: string; wants: readonly string[] };

const rowOf = (key: string, entry: unknown): [string, Row][] => {
  const [id, , facts, integrity] = Array.isArray(entry) ? entry : [];
  if (typeof id !== "string" || typeof integrity !== "string") return [];
  const wants = kinds.flatMap((kind) => Object.keys(Object(Reflect.get(Object(facts), kind))));
  return [[key, { id, integrity, wants }]];
};

const kinds = ["dependencies", "optionalDependencies", "peerDependencies"];

/** Where the package that `key` imports as `name` lies: below itself, or below what is nearest above it. */
const placeOf = (rows: ReadonlyMap<string, Row>, { key, name }: { key: string; name: string }): string => {
  const path = key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
  for (let depth = path.length; depth > 0; depth -= 1) {
    const place = [...path.slice(0, depth), name].join("/");
    if (rows.has(place)) return place;
  }
  return name;
};
