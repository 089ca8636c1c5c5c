import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../../scripts/project-root.ts";

type Locked = { dependencies?: Names; peerDependencies?: Names; optionalPeers?: string[] };
type Names = Record<string, string>;

/** Peers whose types alone are wanted. */
const typesAlone = new Set(["openapi-types", "typescript"]);

/** The packages of bun.lock by name. */
const readPackages = (): Map<string, Locked> => {
  const lock = Bun.JSONC.parse(readFileSync(join(projectRoot, "bun.lock"), "utf8"));
  const rows = Object.entries<unknown[]>(Reflect.get(Object(lock), "packages"));
  return new Map(rows.map(([name, [, , facts]]) => [name, Object(facts)]));
};

test("an installation without tools and peers has every package that its packages load", () => {
  const packages = readPackages();
  // Grows while it is walked.
  const installed = new Set(Object.keys(packageJson.dependencies));
  for (const name of installed)
    for (const needed of Object.keys(packages.get(name)?.dependencies ?? {})) installed.add(needed);
  const missing = [...installed].flatMap((name) => {
    const { peerDependencies = {}, optionalPeers = [] } = packages.get(name) ?? {};
    return Object.keys(peerDependencies)
      .filter((peer) => !optionalPeers.includes(peer) && !typesAlone.has(peer) && !installed.has(peer))
      .map((peer) => `${name} wants ${peer}`);
  });
  expect(installed.size).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
