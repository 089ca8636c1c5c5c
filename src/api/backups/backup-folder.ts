import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { openBucketFiles } from "#api/adapters/object-store/s3-files.ts";
import { AppError } from "#api/core/app-error.ts";
import type { BackupFile } from "#api/core/backups.ts";
import { stampOf } from "#api/core/ids.ts";
import { BucketError } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { freeBytesIn, isFullError, syncPath } from "#api/db/embedded/free-space.ts";
import { backupTexts } from "#contract/backup-texts.ts";

/** A file of the folder. */
type FolderFile = { name: string; sizeBytes: number; modifiedAt: Date };

/** A folder of files for the owner of the installation alone, each of which is there whole or not at all. */
type BackupFolder = {
  path: string;
  /** Writes a file, synced and under another name until it is whole. Throws `STORAGE_FULL` before the disk is full. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number; sha256: string }>;
  list(): Promise<FolderFile[]>;
  /** The content, or `null` when there is none of that name. */
  read(name: string): Promise<{ sizeBytes: number; bytes: AsyncIterable<Uint8Array> } | null>;
  /** Removes a file; `false` when there is none. */
  remove(name: string): Promise<boolean>;
  /** Removes what writing that was interrupted left behind. No one may be writing. */
  sweep(): Promise<void>;
};

// What the database needs to continue, several times over.
const reserveBytes = 256 * 1024 * 1024;
const lookEveryBytes = 16 * 1024 * 1024;
const draftEnd = ".part";

/** The folder at `path`, made when something is first written to it. `leaveBytes` is how much room it leaves on its disk. */
export const createBackupFolder = (path: string, leaveBytes = reserveBytes): BackupFolder => {
  const leaveRoom = async (): Promise<void> => {
    if ((await freeBytesIn(path)) < leaveBytes) throw new AppError("STORAGE_FULL");
  };

  const fill = async (draft: string, bytes: AsyncIterable<Uint8Array>) => {
    const hash = createHash("sha256");
    const file = await open(draft, "wx", 0o600);
    let sizeBytes = 0;
    let sinceLook = 0;
    try {
      for await (const chunk of bytes) {
        await file.writeFile(chunk);
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        sinceLook += chunk.byteLength;
        if (sinceLook < lookEveryBytes) continue;
        sinceLook = 0;
        await leaveRoom();
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return { sizeBytes, sha256: hash.digest("hex") };
  };

  return {
    path,
    write: async (name, bytes) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const target = join(path, name);
      const draft = `${target}${draftEnd}`;
      try {
        await leaveRoom();
        const written = await fill(draft, bytes);
        await rename(draft, target);
        await syncPath(path);
        return written;
      } catch (error) {
        await rm(draft, { force: true });
        throw isFullError(error) ? new AppError("STORAGE_FULL", undefined, { cause: error }) : error;
      }
    },
    list: async () => {
      const files: FolderFile[] = [];
      for (const name of await namesIn(path)) {
        if (name.endsWith(draftEnd)) continue;
        const found = await stat(join(path, name)).catch(absent);
        if (found?.isFile()) files.push({ name, sizeBytes: found.size, modifiedAt: found.mtime });
      }
      return files;
    },
    read: async (name) => {
      const found = await stat(join(path, name)).catch(absent);
      if (!found?.isFile()) return null;
      return { sizeBytes: found.size, bytes: Bun.file(join(path, name)).stream() };
    },
    remove: async (name) => {
      if ((await stat(join(path, name)).catch(absent)) === null) return false;
      await rm(join(path, name), { force: true });
      return true;
    },
    sweep: async () => {
      for (const name of await namesIn(path))
        if (name.endsWith(draftEnd)) await rm(join(path, name), { force: true });
    },
  };
};

const namesIn = async (path: string): Promise<string[]> => (await readdir(path).catch(absent)) ?? [];

const absent = (error: unknown): null => {
  const code: unknown = Reflect.get(Object(error), "code");
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
};

/** What a backup was made for; it is in its name, because only scheduled ones are removed by themselves. */
type BackupReason = "manual" | "scheduled" | "before-restore";

const prefixes: Record<BackupReason, string> = {
  manual: "atrium-",
  scheduled: "atrium-scheduled-",
  "before-restore": "atrium-before-restore-",
};
const form =
  /^atrium-(?:scheduled-|before-restore-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{6}\.tar\.zst(?:\.age)?$/;

/** A name that no other backup has, telling when it was made (UTC) and whether it is encrypted. */
export const backupName = (at: Date, how: { reason: BackupReason; isEncrypted: boolean }): string => {
  const end = how.isEncrypted ? ".tar.zst.age" : ".tar.zst";
  return `${prefixes[how.reason]}${stampOf(at)}-${randomBytes(3).toString("hex")}${end}`;
};

/** Whether a name is one that {@link backupName} makes: anything else in the same place is left alone. */
export const isBackupName = (name: string): boolean => form.test(name);

/** Whether the schedule made it. */
export const isScheduledName = (name: string): boolean => name.startsWith(prefixes.scheduled);

/** When a backup was begun, from its name; `null` for another name. */
export const backupTime = (name: string): Date | null => {
  const [, ...parts] = form.exec(name) ?? [];
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = parts;
  return parts.length === 0 ? null : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

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
