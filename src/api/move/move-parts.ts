import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import type { TableSize } from "#api/db/transfer/transfer-tables.ts";

/** An installation's embedded database and the server that it is moved to, both open. */
export type MoveParts = {
  source: DatabaseHandle;
  target: DatabaseHandle;
  /** The target's address without user and password. */
  to: string;
  dataDir: string;
  box: SecretBox;
};

/** What a move would do, or why it cannot be done. */
export type MovePlan = {
  from: { dataDir: string; version: string; sizeBytes: number };
  to: { address: string; database: string; version: string };
  tables: TableSize[];
  rows: number;
  bytes: number;
  /** Why the move cannot be done, in words for the operator; `null` when it can. */
  obstacle: string | null;
  /** When an earlier move into this target began that broke off; what it left is removed first. */
  brokenOffAt: string | null;
};

/** How far a move has come. `table` is `null` once all rows have arrived; `step` says what is done. */
export type MoveProgress = {
  step: string;
  table: string | null;
  tableRows: number;
  rows: number;
  totalRows: number;
};

/** What a move did. `checked` are the activities whose chain was proven. */
export type MoveReport = {
  to: string;
  version: string;
  tables: { table: string; rows: number }[];
  rows: number;
  checked: number;
  durationMs: number;
  rowsPerSecond: number;
  /** What stays in the data folder and is still needed. */
  keep: string[];
};

/** Who watches a move, and how it is ended. */
export type MoveWatch = {
  /** Hears once what will be done, before it is. */
  onPlan: (plan: MovePlan) => void;
  onProgress: (progress: MoveProgress) => void;
  /** Hears of a move that failed or was ended after it had begun, and whether the target could be emptied again. */
  onBroken: (isEmptied: boolean) => void;
  /** Once aborted the target is emptied again, and the move rejects with the signal's reason. */
  ended: AbortSignal;
};
