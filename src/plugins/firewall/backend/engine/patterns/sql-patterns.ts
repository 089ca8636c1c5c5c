import type { Pattern } from "../engine-types.ts";
import { documentQueryPatterns } from "./document-query-patterns.ts";
import { conditionPatterns } from "./sql-conditions.ts";
import { functionPatterns } from "./sql-functions.ts";
import { queryPatterns } from "./sql-queries.ts";
import { statementPatterns } from "./sql-statements.ts";

/** Pieces of SQL that leave the value they stand in, and those of its relatives. */
export const sqlPatterns: readonly Pattern[] = [
  ...conditionPatterns,
  ...queryPatterns,
  ...statementPatterns,
  ...functionPatterns,
  ...documentQueryPatterns,
];
