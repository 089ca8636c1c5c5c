import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AppKeyConfig, loadAppKey } from "#api/adapters/app-key.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { postgresUrl } from "#api/config/parsers.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { isSwapPending } from "#api/db/complete-swap.ts";
import { databaseError } from "#api/db/errors.ts";
import { refuseOthersFolder } from "#api/db/folder-owner.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { openEmbedded } from "#api/db/open-embedded.ts";
import { refusedStart } from "#api/db/refused-start.ts";
import { TransferError } from "#api/db/transfer/errors.ts";
import type { MoveParts } from "./move-parts.ts";

/** What was given as the target is no address of a PostgreSQL server. */
export class TargetAddressError extends Error {
  override readonly name = "TargetAddressError";
}

/** Whose data is moved, and the server's address with its password. */
export type MoveSettings = AppKeyConfig & { targetUrl: string; log: Log; clock: Clock };

/**
 * Opens both databases for the length of `work`; nobody else can use the data folder meanwhile. Throws
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
    throw new TargetAddressError("The target's address must be postgres://user:password@host:port/database");
  return new URL(targetUrl);
};
