import { UnusableKeyError } from "#api/core/unusable-key-error.ts";
import { keyOfKeyCheck } from "#api/db/key-check.ts";
import { migrationStatus } from "#api/db/migrate.ts";
import { TransferError, UnusableInstallationError } from "#api/db/transfer/errors.ts";
import { inspectTarget } from "#api/db/transfer/inspect-target.ts";
import { movedNoteIn } from "#api/db/transfer/moved-note.ts";
import { measureTables } from "#api/db/transfer/transfer-tables.ts";
import { readUnfinishedLoad } from "#api/db/transfer/unfinished-load.ts";
import type { MoveParts, MovePlan } from "./move-parts.ts";

/** What a move would bring where, and what stands against it. Changes nothing. Throws `TransferError`, and what the databases say. */
export const planMove = async (parts: MoveParts): Promise<MovePlan> => (await lookAtMove(parts)).plan;

/**
 * The same with what a move ends with that is tried nevertheless: a `TransferError` for what stands against this move, an
 * `UnusableInstallationError` or `UnusableKeyError` where it is the installation itself; `null` when nothing does.
 */
export const lookAtMove = async ({
  source,
  target,
  to,
  dataDir,
  box,
}: MoveParts): Promise<{ plan: MovePlan; refusal: Error | null }> => {
  const goal = await inspectTarget(target.db);
  const from = { dataDir, ...(await source.describe()) };
  const pending = (await migrationStatus(source)).some(({ appliedAt }) => appliedAt === null);
  const tables = pending ? [] : await measureTables(source.db);
  const moved = movedNoteIn(dataDir);
  const refusals = [
    goal.obstacle === null ? null : new TransferError(goal.obstacle),
    pending
      ? new TransferError(
          "The embedded database is an older version's: run `atrium migrate` without DATABASE_URL first",
        )
      : null,
    // Only a move that broke off behind its last step leaves a note and may be begun anew: the target knows its load.
    moved !== null && moved.load !== goal.unfinished?.id
      ? new UnusableInstallationError(
          `This installation was moved to ${moved.to} at ${moved.movedAt} already; docs/operating/moving-to-postgresql.md says how to undo that`,
        )
      : null,
    (await keyOfKeyCheck(source.db, box)) === "unknown"
      ? new UnusableKeyError(
          `The key does not belong to this installation: this is key ${box.fingerprint}. Put the right one into APP_SECRET or DATA_DIR/app.key`,
        )
      : null,
    !pending && (await readUnfinishedLoad(source.db)) !== null
      ? new UnusableInstallationError(
          "The data in the embedded database is not whole: a restore into it was not finished",
        )
      : null,
  ];
  const refusal = refusals.find((error) => error !== null) ?? null;
  const plan = {
    from,
    to: { address: to, database: goal.database, version: goal.version },
    tables,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    obstacle: refusal?.message ?? null,
    brokenOffAt: goal.unfinished?.startedAt ?? null,
  };
  return { plan, refusal };
};
