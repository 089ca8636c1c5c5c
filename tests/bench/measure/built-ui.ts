import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UiManifest } from "#api/http/pages/ui-manifest.ts";

/** Where the build has put the user interface. */
export const uiDir = join(import.meta.dir, "..", "..", "..", "dist/ui");

/** What the build says of its pages. Throws when there is no build. */
export const builtUi = (): UiManifest => {
  const file = join(uiDir, "manifest.json");
  if (!existsSync(file)) throw new Error("the user interface is not built; run `bun run build`");
  return readManifest(file);
};

// The build wrote it, and `bun run build` type-checks what it writes.
const readManifest = (file: string): UiManifest => JSON.parse(readFileSync(file, "utf8"));
