import type { Pattern } from "../engine-types.ts";
import { withNeeds } from "../matching.ts";
import { javaPatterns } from "./code-java.ts";
import { phpPatterns } from "./code-php.ts";
import { platformPatterns } from "./code-platforms.ts";
import { requestPatterns } from "./code-requests.ts";
import { scriptPatterns as serverScriptPatterns } from "./code-script.ts";
import { callPatterns } from "./command-calls.ts";
import { shellPatterns } from "./command-shell.ts";
import { windowsPatterns } from "./command-windows.ts";
import { documentQueryPatterns } from "./document-query-patterns.ts";
import { eagerPatterns } from "./eager-patterns.ts";
import { filePatterns } from "./file-patterns.ts";
import { inclusionPatterns } from "./inclusion-patterns.ts";
import { scriptPatterns } from "./markup-scripts.ts";
import { tagPatterns } from "./markup-tags.ts";
import { protocolPatterns } from "./protocol-patterns.ts";
import { scannerPatterns } from "./scanner-patterns.ts";
import { conditionPatterns } from "./sql-conditions.ts";
import { functionPatterns } from "./sql-functions.ts";
import { queryPatterns } from "./sql-queries.ts";
import { statementPatterns } from "./sql-statements.ts";

/** Commands for a shell of the server. */
export const commandPatterns: readonly Pattern[] = [...callPatterns, ...shellPatterns, ...windowsPatterns];

/** Code for an interpreter or a template of the server. */
export const codePatterns: readonly Pattern[] = [
  ...phpPatterns,
  ...javaPatterns,
  ...serverScriptPatterns,
  ...platformPatterns,
  ...requestPatterns,
];

/** Pieces of SQL that leave the value they stand in, and those of its relatives. */
export const sqlPatterns: readonly Pattern[] = [
  ...conditionPatterns,
  ...queryPatterns,
  ...statementPatterns,
  ...functionPatterns,
  ...documentQueryPatterns,
];

/** Markup and scripts that a browser would run. */
export const markupPatterns: readonly Pattern[] = [...tagPatterns, ...scriptPatterns];

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
