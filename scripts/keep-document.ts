/**
 * Keeps the API's description of this version in docs/api, for a release: `bun scripts/keep-document.ts`. One file has the
 * application's own calls, another those of the plugins that are part of it. From then on a test fails when something that
 * they promise is taken away, and once the version is given out this refuses to write over what is kept with anything that
 * would. Those of older versions are deleted: nothing is compared with them anymore. The way in for assistants is described, too: servers have it on demand.
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import type { ApiDocument } from "./client/describe-operations.ts";
import { objectionsToKeeping } from "./document/breaking-changes.ts";
import { describeOwn, describeShipped } from "./document/shipped-document.ts";
import { projectRoot } from "./project-root.ts";

const { version } = packageJson;
const folder = join(projectRoot, "docs/api");
const documents = [
  { path: join(folder, `openapi-${version}.json`), document: await describeOwn(version) },
  { path: join(folder, `openapi-plugins-${version}.json`), document: await describeShipped(version) },
];

const changelog = await Bun.file(join(projectRoot, "CHANGELOG.md")).text();
const tags = Bun.spawnSync(["git", "tag", "--list"], { cwd: projectRoot }).stdout.toString().split("\n");
const objections: string[] = [];
for (const { path, document } of documents) {
  const kept = Bun.file(path);
  const before: ApiDocument | null = (await kept.exists()) ? await kept.json() : null;
  objections.push(...objectionsToKeeping(before, document, { version, changelog, tags }));
}
if (objections.length > 0) {
  console.error(`${version} was released, and this document breaks its promises:`);
  for (const objection of objections) console.error(`- ${objection}`);
  process.exit(1);
}

/** Descriptions and examples promise nothing. */
const promises = (key: string, value: unknown): unknown =>
  key === "example" || (typeof value === "string" && (key === "description" || key === "summary"))
    ? undefined
    : value;

/** A line for each path, so that a release's changes can be read without a file of 30,000 lines. */
const inLines = ({ paths, ...rest }: ApiDocument): string => {
  const lineOf = ([key, value]: [string, unknown]) =>
    `${JSON.stringify(key)}:${JSON.stringify(value, promises)}`;
  const lines = (parts: object) => Object.entries(parts).map(lineOf).join(",\n");
  return `{\n${lines(rest)},\n"paths":{\n${lines(paths)}\n}}\n`;
};

for (const { path, document } of documents) {
  await Bun.write(path, inLines(document));
  console.log(`Wrote ${path}`);
}
const isKept = (name: string): boolean => documents.some(({ path }) => basename(path) === name);
for (const name of readdirSync(folder))
  if (/^openapi-(plugins-)?[\d.]+\.json$/.test(name) && !isKept(name)) rmSync(join(folder, name));
