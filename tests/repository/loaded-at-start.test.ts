import { expect, test } from "bun:test";
import { projectRoot } from "../../scripts/project-root.ts";

/** What a server loads before it listens, whatever is switched on: the entrance, and what that loads at once. */
const entrances = [
  "src/cli/main.ts",
  "src/cli/run-cli.ts",
  "src/cli/create-root.ts",
  "src/cli/commands/serve.ts",
  "src/api/config.ts",
  "src/api/db/open-database.ts",
  "src/api/db/postgres/open-postgres.ts",
  "src/api/db/open-embedded.ts",
  "src/api/db/postgres/await-database.ts",
  "src/api/db/data-folder.ts",
  "src/api/db/make-ready.ts",
  "src/api/declare-routes.ts",
  "src/api/http/server/serve.ts",
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

/** The files that are loaded with the entrances, those of packages too, relative to the project. */
const loadedFiles = async (): Promise<string[]> => {
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
  return [...reached];
};

const loaded = await loadedFiles();

test("a start loads no package that only some installations or commands need", () => {
  const names = loaded.flatMap((path) => packageName.exec(path)?.[1] ?? []);
  expect([...new Set(names)].sort()).toEqual(packages);
});

test("a start loads no command but its own", () => {
  const isCommand = (path: string) => path.startsWith("src/cli/commands/") || path === "src/cli/program.ts";
  expect(loaded.filter(isCommand)).toEqual(["src/cli/commands/serve.ts"]);
});

/** What takes milliseconds the first time, done while a module is loaded. */
const slowAtOnce =
  /^(?:export )?const \w+[^=\n]*= new (?:Intl\.|Date\(\d)|^[^/\s].*= (?:createSchemaCheck|TypeCompiler\.Compile)\(/m;

test("nothing that a start loads computes while it is loaded: time zones, number formats, checks of schemas", async () => {
  expect("const counts = new Intl.NumberFormat();\n").toMatch(slowAtOnce);
  expect("const check = createSchemaCheck(schema);\n").toMatch(slowAtOnce);
  expect("  const check = createSchemaCheck(schema);\n").not.toMatch(slowAtOnce);
  const own = loaded.filter((path) => path.startsWith("src/"));
  const texts = await Promise.all(own.map((path) => Bun.file(`${projectRoot}/${path}`).text()));
  expect(own.filter((_, at) => slowAtOnce.test(texts[at] ?? ""))).toEqual([]);
});

const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/;
