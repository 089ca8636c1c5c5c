import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../../scripts/project-root.ts";
import { asGlob, findLinkedPaths, findNamedFiles, findNamedPaths, isAmong } from "./find-named-paths.ts";
import { sourceFiles } from "./source-files.ts";

const documents = sourceFiles("README.md", "CHANGELOG.md", "docs").filter(({ path }) => path.endsWith(".md"));

// What an install, a build or a run makes is not there in a fresh clone, so documents may name it freely.
const made = new Set([".git", "node_modules", "dist", "data"]);
const topLevel = readdirSync(projectRoot).filter((name) => !made.has(name));
const programs = [
  ...topLevel,
  ...new Bun.Glob("{src,scripts,tests}/**/*.{ts,tsx}").scanSync({ cwd: projectRoot }),
];

const isThere = (path: string): boolean => {
  const pattern = asGlob(path);
  if (existsSync(join(projectRoot, pattern))) return true;
  const scan = new Bun.Glob(pattern).scanSync({ cwd: projectRoot, onlyFiles: false, dot: true });
  return scan.next().done !== true;
};

describe("every path that a document names exists", () => {
  for (const { path, text } of documents) {
    test(path, () => {
      const named = findNamedPaths(path, text, topLevel).filter((found) => !isThere(found.path));
      const linked = findLinkedPaths(path, text).filter((found) => !isThere(join(dirname(path), found.path)));
      const files = findNamedFiles(path, text).filter((found) => !isAmong(programs, found));
      expect([...named, ...linked, ...files]).toEqual([]);
    });
  }

  test("and the guard sees a path that does not", () => {
    const text =
      "See `src/api/absent.ts`, `src/api/modules/<name>/absent.ts`, `bun run x` and [this](absent.md#a).";
    const named = findNamedPaths("a.md", text, ["src"]).map(({ path }) => path);
    expect(named).toEqual(["src/api/absent.ts", "src/api/modules/<name>/absent.ts"]);
    expect(named.filter(isThere)).toEqual([]);
    expect(findLinkedPaths("a.md", text).map(({ path }) => path)).toEqual(["absent.md"]);
    expect(isThere("src/api/modules/<name>/routes.ts")).toBe(true);
  });

  test("and a file that does not exist, also without its folder or with braces in its name", () => {
    const text =
      "See `absent.ts`, `modules/kit.ts`, `kit.ts`, `{kit,absent-too}.ts`, `<name>-page.tsx`, `absent.md`.";
    const named = findNamedFiles("a.md", text);
    expect(named.filter((found) => !isAmong(programs, found)).map(({ path }) => path)).toEqual([
      "absent.ts",
      "absent-too.ts",
    ]);
  });
});

test("every document that a program's text points to exists", () => {
  const pointers = sourceFiles("src", "scripts").flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map((match) => ({ path, document: match[0] })),
  );
  expect(pointers.length).toBeGreaterThan(0);
  expect(pointers.filter(({ document }) => !isThere(document))).toEqual([]);
});

test("docs/folders.md names the folders that there are", () => {
  const page = documents.find(({ path }) => path === "docs/folders.md")?.text ?? "";
  const folders = ["src/api", "src/cli", "src/ui"].flatMap((root) =>
    readdirSync(join(projectRoot, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${root}/${entry.name}/`),
  );
  expect(folders.filter((folder) => !page.includes(folder))).toEqual([]);
});

describe("decision records", () => {
  const records = documents.filter(({ path }) => path.startsWith("docs/decisions/"));

  test("are numbered without a gap", () => {
    const numbers = records.map(({ path }) => Number(path.match(/decisions\/(\d{4})-[a-z0-9-]+\.md$/)?.[1]));
    expect(numbers).toEqual(records.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(0);
  });

  for (const { path, text } of records) {
    test(`${path} has its four parts in at most 40 lines`, () => {
      const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
      expect(headings).toEqual(["Context", "Decision", "Consequences", "Checked by"]);
      expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
    });
  }
});

describe("the Bun version", () => {
  const pinned = packageJson.packageManager.replace("bun@", "");

  test("stands in package.json, and every document and file that names one names that", () => {
    const files = [...documents, ...sourceFiles("Dockerfile", ".ci", "docker-compose.yml")];
    const named = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:bun@|oven\/bun:)(\d[\w.-]*)/g)].map((match) => ({ path, version: match[1] })),
    );
    expect(named.length).toBeGreaterThanOrEqual(2);
    expect(named.filter(({ version }) => version?.replace(/\.$/, "") !== pinned)).toEqual([]);
  });

  test("is the version that the types describe", () => {
    expect(packageJson.devDependencies["bun-types"]).toBe(pinned);
  });
});

test("the changelog speaks of this version, or of what is not released yet", () => {
  const changelog = documents.find(({ path }) => path === "CHANGELOG.md")?.text ?? "";
  expect(changelog).toMatch(new RegExp(`^## \\[(Unreleased|${RegExp.escape(packageJson.version)})\\]`, "m"));
});
