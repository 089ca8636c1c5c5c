import type { Pattern } from "../engine-types.ts";
import { codePatterns } from "./code-patterns.ts";
import { commandPatterns } from "./command-patterns.ts";
import { eagerPatterns } from "./eager-patterns.ts";
import { filePatterns } from "./file-patterns.ts";
import { inclusionPatterns } from "./inclusion-patterns.ts";
import { markupPatterns } from "./markup-patterns.ts";
import { withNeeds } from "./match-pattern.ts";
import { protocolPatterns } from "./protocol-patterns.ts";
import { scannerPatterns } from "./scanner-patterns.ts";
import { sqlPatterns } from "./sql-patterns.ts";

/** Every pattern that is shipped, by id. */
export const allPatterns: readonly Pattern[] = [
  ...filePatterns,
  ...inclusionPatterns,
  ...commandPatterns,
  ...codePatterns,
  ...sqlPatterns,
  ...markupPatterns,
  ...protocolPatterns,
  ...scannerPatterns,
  ...eagerPatterns,
]
  .map(withNeeds)
  .toSorted((a, b) => a.id - b.id);
