import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

test("an install runs no package's own script, so that what Swagger UI brings along reports nothing", () => {
  const { trustedDependencies } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  // Left out, Bun's own list would be in force, and the reporting package is on it.
  expect(trustedDependencies).toEqual([]);
});
