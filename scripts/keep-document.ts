/**
 * Keeps the API's description of this version in docs/api, for a release: `bun scripts/keep-document.ts`. From then on a
 * test fails when something that it promises is taken away.
 */
import { join } from "node:path";
import { describeRoutes } from "#api/app.ts";
import packageJson from "../package.json" with { type: "json" };
import { projectRoot } from "./project-root.ts";

const { version } = packageJson;
const path = join(projectRoot, `docs/api/openapi-${version}.json`);
const document = await describeRoutes({ version, appUrl: "http://localhost:3000" })();

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
