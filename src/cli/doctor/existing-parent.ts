import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The path itself, or the nearest folder above it that exists: where it lies, or will lie. */
export const existingParent = (path: string): string =>
  existsSync(path) ? path : existingParent(dirname(path));
