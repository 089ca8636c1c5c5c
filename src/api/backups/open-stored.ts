import { basename } from "node:path";
import { openBucketFiles } from "#api/adapters/object-store/s3-files.ts";
import { AppError } from "#api/core/app-error.ts";
import type { BackupFile } from "#api/core/backups.ts";
import { BucketError } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { isBackupName } from "./backup-folder.ts";

/** Below this lie the backups of every installation that uses the bucket, each in a folder of its own. */
export const backupsPrefix = "backups/";

/**
 * A backup of a bucket by its name, whichever installation made it: after a disaster there is none of its kind left.
 * Throws `NOT_FOUND` and `STORAGE_UNAVAILABLE`, also while it is being read.
 */
export const openStored = async (
  target: BucketTarget,
  { name, otherOrigins }: { name: string; otherOrigins: readonly string[] },
): Promise<BackupFile> => {
  const files = openBucketFiles(target, { otherOrigins, prefix: backupsPrefix });
  try {
    const all = await files.list();
    const found = isBackupName(name) ? all.find((file) => basename(file.name) === name) : undefined;
    const content = found === undefined ? null : await files.read(found.name);
    if (content === null) throw new AppError("NOT_FOUND", `${backupTexts.notStored}: ${name}`);
    return { ...content, bytes: closing(content.bytes, files.close) };
  } catch (error) {
    files.close();
    throw error instanceof BucketError ? storageAway(error) : error;
  }
};

/** The bytes, with `close` at their end and when no one wants them any more, also before the first of them was read. */
const closing = (bytes: AsyncIterable<Uint8Array>, close: () => void): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = bytes[Symbol.asyncIterator]();
    return {
      next: async () => {
        try {
          const next = await iterator.next();
          if (next.done === true) close();
          return next;
        } catch (error) {
          close();
          throw error instanceof BucketError ? storageAway(error) : error;
        }
      },
      return: async () => {
        try {
          await iterator.return?.();
        } finally {
          close();
        }
        return { done: true, value: undefined };
      },
    };
  },
});

/** What people read when the bucket cannot be used. */
export const storageAway = (error: BucketError): AppError =>
  new AppError("STORAGE_UNAVAILABLE", `${backupTexts.storageAway}: ${error.message}`, {
    cause: error,
    retryAfterS,
  });

const retryAfterS = 5;
