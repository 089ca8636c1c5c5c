import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AppKeyConfig, loadAppKey } from "#api/adapters/app-key.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { postgresUrl } from "#api/config/parsers.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import { UnusableKeyError } from "#api/core/key-complaint.ts";
import type { Log } from "#api/core/log.ts";
import { isSwapPending } from "#api/db/complete-swap.ts";
import { refuseOthersFolder } from "#api/db/data-folder.ts";
import { databaseError } from "#api/db/errors.ts";
import { keyOfKeyCheck } from "#api/db/key-check.ts";
import { countUnknownOwn, migrationStatus } from "#api/db/migrate.ts";
import { type DatabaseHandle, openDatabase } from "#api/db/open-database.ts";
import { openEmbedded } from "#api/db/open-embedded.ts";
import { refusedStart } from "#api/db/postgres/refused-start.ts";
import { inspectTarget } from "#api/db/transfer/inspect-target.ts";
import { movedNoteIn, TransferError, UnusableInstallationError } from "#api/db/transfer/moved-note.ts";
import { measureTables, readUnfinishedLoad, type TableSize } from "#api/db/transfer/transfer-tables.ts";

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

/** What was given as the target is no address of a PostgreSQL server. */
export class TargetAddressError extends Error {
  override readonly name = "TargetAddressError";
}

/** Whose data is moved, and the server's address with its password. */
type MoveSettings = AppKeyConfig & { targetUrl: string; log: Log; clock: Clock };

/**
 * Opens both databases for the length of `work`; no one else can use the data folder meanwhile. Throws
 * `TargetAddressError`, `DataFolderInUseError`, `UnusableKeyError`, and `TransferError` or `DatabaseUnusableError` when one of them cannot be had.
 */
export const withMoveParts = async <T>(
  { targetUrl, log, clock, ...settings }: MoveSettings,
  work: (parts: MoveParts) => Promise<T>,
): Promise<T> => {
  const { dataDir } = settings;
  const url = addressOf(targetUrl);
  if (!existsSync(join(dataDir, "database")) && !isSwapPending(dataDir))
    throw new TransferError(`There is no embedded database in ${dataDir}`);
  refuseOthersFolder(dataDir);
  // Past the note that an earlier move left: whether that one was finished is seen at the target.
  const source = await openEmbedded({ dataDir, log, clock, isOffline: true });
  try {
    // Not before: who opens the folder may have to complete a restore, of the key too.
    const key = loadAppKey(settings, false);
    const box = createSecretBox(key.root, key.previous ?? undefined);
    const target = await openDatabase({ databaseUrl: targetUrl, dataDir, log, clock });
    try {
      await target.check().catch((error) => {
        throw refusedStart(error, targetUrl) ?? databaseError(error) ?? error;
      });
      const to = `postgres://${url.host}${url.pathname}`;
      return await work({ source, target, to, dataDir, box });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

const addressOf = (targetUrl: string): URL => {
  if (postgresUrl(targetUrl) === undefined)
    throw new TargetAddressError("The target's URL must be postgres://user:password@host:port/database");
  return new URL(targetUrl);
};

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
    (await countUnknownOwn(source.db)) > 0
      ? new TransferError(
          "The embedded database has tables of own features that this program lacks: move it with the program that made them",
        )
      : null,
    pending
      ? new TransferError(
          "The embedded database belongs to an older version: run `atrium migrate` without DATABASE_URL first",
        )
      : null,
    // Only a move that broke off behind its last step leaves a note and may be begun again: the target knows its load.
    moved !== null && moved.load !== goal.unfinished?.id
      ? new UnusableInstallationError(
          `This installation was already moved to ${moved.to} at ${moved.movedAt}; docs/operating/moving-to-postgresql.md says how to undo that`,
        )
      : null,
    (await keyOfKeyCheck(source.db, box)) === "unknown"
      ? new UnusableKeyError(
          `The key does not belong to this installation: this is key ${box.fingerprint}. Put the right one into APP_SECRET or DATA_DIR/app.key`,
        )
      : null,
    !pending && (await readUnfinishedLoad(source.db)) !== null
      ? new UnusableInstallationError(
          "The data in the embedded database is incomplete: a restore into it was not finished",
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
