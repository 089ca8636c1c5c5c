import { expect, test } from "bun:test";
import { join } from "node:path";
import { surfacePath, surfaceText } from "../../scripts/features/surface.ts";
import { projectRoot } from "../../scripts/project-root.ts";

test("what features import as #app changes only together with its report: bun scripts/features/surface.ts", async () => {
  expect(surfaceText()).toBe(await Bun.file(join(projectRoot, surfacePath)).text());
});
