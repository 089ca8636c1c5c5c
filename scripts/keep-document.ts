/**
 * Keeps the API's description of this version in docs/api, for a release: `bun scripts/keep-document.ts`. One file has the
 * application's own calls, another those of the plugins that are part of it. From then on a test fails when something that
 * they promise is taken away, and once the version is given out this refuses to write over what is kept with anything that
 * would. The way in for assistants is described, too: servers have it on demand.
 */
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import type { ApiDocument } from "./client/document-types.ts";
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
  typeof value === "string" && (key === "description" || key === "summary") ? undefined : value;

for (const { path, document } of documents) {
  const replacer = (key: string, value: unknown) => (key === "example" ? undefined : promises(key, value));
  await Bun.write(path, JSON.stringify(document, replacer, 2));
  console.log(`Wrote ${path}`);
}
const biome = join(projectRoot, "node_modules/.bin/biome");
const { exitCode } = Bun.spawnSync([
  ...[process.execPath, biome, "format", "--write"],
  ...documents.map(({ path }) => path),
]);
process.exit(exitCode);
