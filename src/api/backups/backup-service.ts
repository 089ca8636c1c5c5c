import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BucketFiles, openBucketFiles } from "#api/adapters/object-store/s3-files.ts";
import type { ActivityRecorder } from "#api/core/activity.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { BackupEntry, BackupOrder, BackupPlace, BackupRun, BackupService } from "#api/core/backups.ts";
import type { Clock } from "#api/core/clock.ts";
import { latestPlausible } from "#api/core/clock.ts";
import { describeError } from "#api/core/describe-error.ts";
import { newId } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import { BucketError, type ObjectStore } from "#api/core/objects.ts";
import type { SettingsService } from "#api/core/settings.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import {
  type Alive,
  findRun,
  noteScheduled,
  recipientComplaint,
  takeRun,
  updateRun,
  writeLastBackup,
} from "#api/modules/backups/index.ts";
import { readOwnName } from "#api/modules/storage/index.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import {
  backupName,
  backupsPrefix,
  backupTime,
  createBackupFolder,
  isBackupName,
  storageAway,
} from "./backup-folder.ts";
import { sweepTrials } from "./scratch.ts";

type BackupServiceParts = {
  handle: DatabaseHandle;
  objects: Pick<ObjectStore, "get">;
  settings: SettingsService;
  activity: ActivityRecorder;
  clock: Clock;
  log: Log;
  dataDir: string;
  s3Endpoints: readonly string[];
  /** The key's text. */
  key: string;
};

// Also what a restore leaves that was killed: it holds the data folder as a server does.
const scratchForm = /^(?:backup(?:-[0-9a-f-]{36})?|restore)\.part$/;
const beatMs = 2_000;
const deadAfterMs = 60_000;

/** Makes the service; nothing is read or written before it is asked for. */
export const createBackupService = (parts: BackupServiceParts): BackupService => {
  const { handle, settings, activity, clock, log, dataDir, s3Endpoints } = parts;
  const folder = createBackupFolder(join(dataDir, "backups"));
  const handover = createBackupFolder(join(dataDir, "backups", "handover"));
  const stopping = new AbortController();
  let underWay: Promise<unknown> = Promise.resolve();
  let isMaking = false;
  let current: { id: string; end: AbortController } | null = null;

  /** When a making must have shown itself to be alive: never, where on the embedded database no one else can make one. */
  const alive = (): Alive => {
    const [now, isAlone] = [clock.now(), handle.kind === "embedded" && !isMaking];
    if (isAlone) return { since: new Date(now.getTime() + 1), until: now };
    // What a killed server recorded whose clock was ahead would be alive for as long.
    return { since: new Date(now.getTime() - deadAfterMs), until: latestPlausible(now) };
  };

  /** The bucket of the settings, or `null`. */
  const bucketFiles = async (): Promise<BucketFiles | null> => {
    const { bucket } = settings.current;
    if (bucket === null) return null;
    const name = await readOwnName(handle.db, newId());
    return openBucketFiles(bucket, { otherOrigins: s3Endpoints, prefix: `${backupsPrefix}${name}/` });
  };

  const inBucket = async <T>(work: (files: BucketFiles) => Promise<T>): Promise<T> => {
    const files = await bucketFiles();
    if (files === null) throw new AppError("CONFLICT", backupTexts.noStorage);
    try {
      return await work(files);
    } catch (error) {
      throw error instanceof BucketError ? storageAway(error) : error;
    } finally {
      files.close();
    }
  };

  const write = (place: BackupPlace, name: string, bytes: AsyncIterable<Uint8Array>) => {
    if (place === "storage") return inBucket((files) => files.write(name, bytes));
    return (place === "folder" ? folder : handover).write(name, bytes);
  };

  const remove: BackupService["remove"] = async (place, name) => {
    if (!isBackupName(name)) return false;
    if (place === "storage") return inBucket((files) => files.remove(name));
    return (place === "folder" ? folder : handover).remove(name);
  };

  const make = async (run: BackupRun, order: BackupOrder, end: AbortController): Promise<BackupRun> => {
    const progress = { ...run };
    const ended = AbortSignal.any([stopping.signal, end.signal]);
    const beat = setInterval(() => {
      progress.beatAt = clock.now().toISOString();
      // The next beat tries again.
      updateRun(handle.db, progress).then(
        (isOurs) => isOurs || end.abort(cancelled()),
        () => {},
      );
    }, beatMs);
    const isEncrypted = order.recipients.length > 0;
    const name = backupName(clock.now(), {
      reason: order.isScheduled ? "scheduled" : "manual",
      isEncrypted,
    });
    const scratch = join(dataDir, `backup-${run.id}.part`);
    try {
      // What was recorded before must be in the database that is copied.
      await activity.settle();
      if (order.place !== "storage") await (order.place === "folder" ? folder : handover).sweep();
      // Nothing of it is needed before someone wants a backup.
      const { makeBackup } = await import("./dump.ts");
      const making = makeBackup(
        {
          ...parts,
          scratch,
          key: order.isWithKey ? parts.key : null,
          lock: isEncrypted ? { recipients: order.recipients } : null,
          onProgress: (now) => Object.assign(progress, now, { stage: "writing" }),
        },
        (bytes) => write(order.place, name, untilStopped(bytes, ended)),
      );
      const written = await unlessHung(making, ended);
      return { ...progress, state: "done", name, ...written };
    } catch (error) {
      if (ended.aborted) {
        log.info("a backup was interrupted", { reason: reasonOf(ended.reason) });
        // Work that hangs doesn't clean up after itself. Whatever is still left is removed at the next start.
        await rm(scratch, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
      } else log.error("a backup could not be made", { error: describeError(error) });
      return { ...progress, state: "failed", error: reasonOf(ended.aborted ? ended.reason : error) };
    } finally {
      clearInterval(beat);
    }
  };

  /** Notes how a making ended; `false` when it was canceled before that. */
  const settle = (run: BackupRun): Promise<boolean> => {
    const { name, place, sizeBytes, startedAt } = run;
    return handle.db.transaction(async (tx) => {
      if (!(await updateRun(tx, run))) return false;
      if (run.state !== "done" || name === null || place === "handover") return true;
      await writeLastBackup(tx, { at: startedAt, name, place, sizeBytes: sizeBytes ?? 0 });
      if (run.isScheduled) await noteScheduled(tx, name);
      return true;
    });
  };

  const finish = async (over: BackupRun): Promise<BackupRun> => {
    const run = { ...over, beatAt: clock.now().toISOString() };
    const { name, place, sizeBytes } = run;
    try {
      if (!(await settle(run))) {
        // Who canceled it has left a row about that.
        if (run.name !== null) await remove(place, run.name);
        return { ...run, state: "failed", name: null, error: backupTexts.cancelled };
      }
    } catch (error) {
      log.warn("the outcome of a backup could not be recorded", { error: describeError(error) });
    }
    activity.note({
      entry: {
        type: "admin_action",
        severity: run.state === "done" ? "low" : "high",
        status: run.state === "done" ? "success" : "failure",
        action: run.state === "done" ? "Made a backup" : "A backup failed",
        description: run.state === "done" ? `${name} (${sizeBytes} bytes, ${place})` : (run.error ?? ""),
      },
      source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
      at: clock.now(),
    });
    return run;
  };

  return {
    claim: async (tx, order) => {
      if (order.isWithKey && order.recipients.length === 0)
        throw new AppError("CONFLICT", backupTexts.keyNeedsLock);
      if (order.place === "storage" && settings.current.bucket === null)
        throw new AppError("CONFLICT", backupTexts.noStorage);
      for (const [at, recipient] of order.recipients.entries()) {
        const message = await recipientComplaint(recipient);
        if (message !== null) throw validationError([{ path: `recipients.${at}`, message }]);
      }
      const run = newRun(order, clock.now());
      if (!(await takeRun(tx, run, alive()))) throw new AppError("CONFLICT", backupTexts.underWay);
      return run;
    },
    make: (run, order) => {
      isMaking = true;
      const end = new AbortController();
      current = { id: run.id, end };
      const finished = make(run, order, end)
        .then(finish)
        .finally(() => {
          isMaking = false;
        });
      underWay = finished;
      return finished;
    },
    cancel: async (tx) => {
      const run = await findRun(tx);
      const beatAt = clock.now().toISOString();
      if (
        run?.state !== "running" ||
        !(await updateRun(tx, { ...run, state: "failed", error: backupTexts.cancelled, beatAt }))
      )
        throw new AppError("CONFLICT", backupTexts.notUnderWay);
      return run;
    },
    halt: async ({ id }) => {
      if (current?.id !== id) return;
      current.end.abort(cancelled());
      await underWay;
    },
    run: async () => {
      const run = await findRun(handle.db);
      const [beatAt, { since, until }] = [new Date(run?.beatAt ?? 0), alive()];
      const isDead = run?.state === "running" && (beatAt < since || beatAt > until);
      return isDead ? { ...run, state: "failed", error: backupTexts.brokenOff } : run;
    },
    list: async () => {
      const here = await folder.list();
      const backups = entriesOf("folder", here);
      const files = await bucketFiles();
      if (files === null) return { backups: inOrder(backups), storageFault: null };
      try {
        const there = entriesOf("storage", await files.list());
        return { backups: inOrder([...backups, ...there]), storageFault: null };
      } catch (error) {
        if (!(error instanceof BucketError)) throw error;
        return { backups: inOrder(backups), storageFault: error.message };
      } finally {
        files.close();
      }
    },
    open: async (place, name) => {
      if (!isBackupName(name)) return null;
      if (place === "storage") return inBucket((files) => files.read(name));
      return (place === "folder" ? folder : handover).read(name);
    },
    remove,
    sweep: async () => {
      await folder.sweep();
      await rm(handover.path, { recursive: true, force: true });
      await sweepTrials(dataDir, clock.now().getTime());
      for (const name of await readdir(dataDir))
        if (scratchForm.test(name)) await rm(join(dataDir, name), { recursive: true, force: true });
    },
    stop: async () => {
      stopping.abort(new AppError("SHUTTING_DOWN"));
      await underWay;
    },
  };
};

const newRun = ({ place, isScheduled }: BackupOrder, now: Date): BackupRun => ({
  id: newId(),
  state: "running",
  place,
  isScheduled,
  startedAt: now.toISOString(),
  beatAt: now.toISOString(),
  stage: "copying",
  table: null,
  rows: 0,
  readBytes: 0,
  name: null,
  sizeBytes: null,
  sha256: null,
  error: null,
});

const cancelled = (): AppError => new AppError("CONFLICT", backupTexts.cancelled);

const entriesOf = (
  place: BackupEntry["place"],
  files: readonly { name: string; sizeBytes: number }[],
): BackupEntry[] =>
  files.flatMap(({ name, sizeBytes }) => {
    const createdAt = backupTime(name);
    return createdAt === null
      ? []
      : [{ name, place, sizeBytes, createdAt, isEncrypted: name.endsWith(".age") }];
  });

const inOrder = (backups: BackupEntry[]): BackupEntry[] =>
  backups.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1));

/** What admins read; of a fault of ours the log has more. */
const reasonOf = (error: unknown): string =>
  error instanceof AppError && error.kind !== "INTERNAL" ? error.message : backupTexts.failed;

const hungAfterMs = 5_000;

/** Rejects when `work` continues for five seconds after `ended`: it ends with its next byte, and no one waits for that. */
const unlessHung = async <T>(work: Promise<T>, ended: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    timer = setTimeout(() => reject(ended.reason), hungAfterMs);
  };
  if (ended.aborted) wait();
  else ended.addEventListener("abort", wait, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    ended.removeEventListener("abort", wait);
    clearTimeout(timer);
  }
};

/** The bytes until the signal, whose reason they then throw. */
async function* untilStopped(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    yield chunk;
  }
}
