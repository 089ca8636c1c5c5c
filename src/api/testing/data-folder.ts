import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A data folder of the test's own, removed by `remove`. */
export const makeDataFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), "atrium-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
