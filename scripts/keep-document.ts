/**
 * Keeps the API's description of this version in docs/api, for a release: `bun scripts/keep-document.ts`. From then on a
 * test fails when something that it promises is taken away, and once the version is given out this refuses to write over
 * what is kept with anything that would. The way in for assistants is described, too: servers have it on demand.
 */
import { join } from "node:path";
import { describeRoutes } from "#api/app.ts";
import packageJson from "../package.json" with { type: "json" };
import type { ApiDocument } from "./client/document-types.ts";
import { objectionsToKeeping } from "./document/may-keep.ts";
import { projectRoot } from "./project-root.ts";

const { version } = packageJson;
const path = join(projectRoot, `docs/api/openapi-${version}.json`);
const document: unknown = await describeRoutes({ version, appUrl: "http://localhost:3000", hasMcp: true })();

const kept = Bun.file(path);
const tags = Bun.spawnSync(["git", "tag", "--list"], { cwd: projectRoot }).stdout.toString().split("\n");
const before: ApiDocument | null = (await kept.exists()) ? await kept.json() : null;
const objections = objectionsToKeeping(before, document as ApiDocument, {
  version,
  changelog: await Bun.file(join(projectRoot, "CHANGELOG.md")).text(),
  tags,
});
if (objections.length > 0) {
  console.error(`${version} was given out, and its document promises what this one does not keep:`);
  for (const objection of objections) console.error(`- ${objection}`);
  process.exit(1);
}

/** Words for people and examples promise nothing. */
const promises = (key: string, value: unknown): unknown =>
  typeof value === "string" && (key === "description" || key === "summary") ? undefined : value;

await Bun.write(
  path,
  JSON.stringify(document, (key, value) => (key === "example" ? undefined : promises(key, value)), 2),
);
const { exitCode } = Bun.spawnSync([
  process.execPath,
  join(projectRoot, "node_modules/.bin/biome"),
  "format",
  "--write",
  path,
]);
console.log(`Wrote ${path}`);
process.exit(exitCode);
