import { expect, test } from "bun:test";
import { projectRoot } from "../../scripts/project-root.ts";

/** What a server loads before it listens, whatever is switched on: the entrance, and what that loads at once. */
const entrances = [
  "src/cli/main.ts",
  "src/cli/run-cli.ts",
  "src/api/config.ts",
  "src/api/db/open-database.ts",
  "src/api/db/open-postgres.ts",
  "src/api/db/open-embedded.ts",
  "src/api/http/serve.ts",
];

/** Each package more makes every start slower and every server larger: what only some need is imported when they do. */
const packages = [
  "@sinclair/typebox",
  "commander",
  "cookie",
  "drizzle-orm",
  "elysia",
  "exact-mirror",
  "fast-decode-uri-component",
  "memoirist",
  "mmdb-lib",
  "postgres",
  "re2js",
  "semver",
];

test("a start loads no package that only some installations or commands need", async () => {
  const { metafile } = await Bun.build({
    entrypoints: entrances.map((path) => `${projectRoot}/${path}`),
    root: projectRoot,
    target: "bun",
    splitting: true,
    metafile: true,
    // Built files, which a fresh clone does not have yet.
    external: ["*.wasm"],
  });
  const files = new Map(Object.entries(metafile?.inputs ?? {}));
  const isEntrance = (path: string) => entrances.some((entrance) => path.endsWith(entrance));
  const reached = new Set([...files.keys()].filter(isEntrance));
  expect(reached.size).toBe(entrances.length);
  // Grows while it is walked.
  for (const path of reached)
    for (const { path: target, kind } of files.get(path)?.imports ?? [])
      if (kind !== "dynamic-import") reached.add(target);
  const loaded = [...reached].flatMap((path) => packageName.exec(path)?.[1] ?? []);
  expect([...new Set(loaded)].sort()).toEqual(packages);
});

const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/;
