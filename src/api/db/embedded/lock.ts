import { Database } from "bun:sqlite";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Libc } from "./libc.ts";

/** The outcome of an attempt. `holder` is the other process's id, or `null` while it has not written it yet. */
export type LockAttempt = { isHeld: true } | { isHeld: false; holder: number | null };

/**
 * Takes the lock of a data folder for the life of this process: two engines on one folder lose both their writes
 * without any error. A holder that is just ending gets `patienceMs` to do so, and 12 seconds where it has said that it
 * stops. The system frees the lock however the
 * process ends; the ids in the file are for the message only: `serverPid` is whom it names.
 */
export const lockFolder = async (
  dataDir: string,
  libc: Libc | null,
  patienceMs: number,
  serverPid = process.pid,
): Promise<LockAttempt> => {
  const begunAt = performance.now();
  for (;;) {
    const attempt = libc ? lockWithFlock(dataDir, libc, serverPid) : lockWithSqlite(dataDir, serverPid);
    if (attempt.isHeld) return attempt;
    const waitMs = hasAnnouncedEnd(dataDir) ? drainMs : patienceMs;
    if (performance.now() - begunAt >= waitMs) return attempt;
    await sleep(retryMs);
  }
};

const retryMs = 25;
const drainMs = 12_000;
const endMark = "stopping";

/** Announces that the server which holds the folder is about to end, so that the next one waits for it. */
export const announceEnd = (dataDir: string): void => {
  try {
    for (const path of pidFilesIn(dataDir)) if (existsSync(path)) appendFileSync(path, `${endMark}\n`);
  } catch {
    // On a full disk the next server is refused instead, as it is while this one runs.
  }
};

const hasAnnouncedEnd = (dataDir: string): boolean =>
  pidFilesIn(dataDir).some((path) => existsSync(path) && readFileSync(path, "utf8").includes(endMark));

/** Where each of the two ways to lock has the numbers of processes. */
const pidFilesIn = (dataDir: string): string[] => [join(dataDir, "lock"), join(dataDir, "lock.pid")];

// What is held must not be collected: a file or database that is closed gives its lock back.
const held: unknown[] = [];

const lockWithFlock = (dataDir: string, libc: Libc, serverPid: number): LockAttempt => {
  const path = join(dataDir, "lock");
  const fd = openSync(path, "a+", 0o600);
  if (!libc.tryLock(fd)) {
    closeSync(fd);
    return { isHeld: false, holder: readPid(path) };
  }
  // The previous holder may have removed it meanwhile: then it excludes no one.
  if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(fd).ino) {
    closeSync(fd);
    return { isHeld: false, holder: null };
  }
  ftruncateSync(fd);
  writeSync(fd, pidsOf(serverPid));
  held.push(fd);
  return { isHeld: true };
};

/** For systems whose C library could not be opened: a transaction that never ends. */
const lockWithSqlite = (dataDir: string, serverPid = process.pid): LockAttempt => {
  const pidPath = join(dataDir, "lock.pid");
  const database = new Database(join(dataDir, "lock.sqlite"), { create: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    // Without a journal beside it nothing has to be tidied up after a kill.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!String(error).includes("locked")) throw error;
    return { isHeld: false, holder: readPid(pidPath) };
  }
  writeFileSync(pidPath, pidsOf(serverPid), { mode: 0o600 });
  held.push(database);
  return { isHeld: true };
};

/** The server's pid, which messages name, and below it the pid of the process that holds the lock. */
const pidsOf = (serverPid: number): string => `${serverPid}\n${process.pid}\n`;

const readPid = (path: string): number | null => {
  try {
    return Number.parseInt(readFileSync(path, "utf8"), 10) || null;
  } catch {
    // The holder writes it a moment after it has the lock.
    return null;
  }
};
