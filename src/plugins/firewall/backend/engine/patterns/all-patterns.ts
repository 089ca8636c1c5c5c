import type { Pattern } from "../engine-types.ts";
import {
  javaPatterns,
  phpPatterns,
  platformPatterns,
  scriptPatterns as serverScriptPatterns,
} from "./code-patterns.ts";
import { requestPatterns } from "./code-requests.ts";
import { callPatterns } from "./command-calls.ts";
import { shellPatterns, windowsPatterns } from "./command-shells.ts";
import { filePatterns, inclusionPatterns } from "./file-patterns.ts";
import { scriptPatterns, tagPatterns } from "./markup-patterns.ts";
import { protocolPatterns, scannerPatterns } from "./protocol-patterns.ts";
import { conditionPatterns, eagerPatterns } from "./sql-conditions.ts";
import { functionPatterns } from "./sql-functions.ts";
import { queryPatterns } from "./sql-queries.ts";
import { documentQueryPatterns, statementPatterns } from "./sql-statements.ts";

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
].toSorted((a, b) => a.id - b.id);
