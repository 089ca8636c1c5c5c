import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { FilterFacts } from "#api/adapters/breached-passwords/filter-file.ts";
import { shellWord } from "#cli/failure.ts";
import { counted, formatBytes, formatMinute } from "#cli/terminal/format.ts";
import { asOwnerOf, nameOf } from "./as-owner.ts";
import { existingParent } from "./check-machine.ts";
import { type Check, fail, ok, warn } from "./checks.ts";

// Below the first the server refuses writes.
const minFreeBytes = 64_000_000;
const comfortableFreeBytes = 1_000_000_000;

/** The data folder: there, a folder, ours alone, writable. */
export const checkDataFolder = (dataDir: string): Check => {
  const name = "data folder";
  const stats = statOf(dataDir);
  if (stats === null) {
    const parent = existingParent(dataDir);
    return isWritable(parent)
      ? ok(name, `${dataDir} does not exist yet; the first start creates it`)
      : fail(
          name,
          `${dataDir} does not exist and ${parent} is not writable`,
          "create it and make the server's user its owner",
        );
  }
  if (!stats.isDirectory()) return fail(name, `${dataDir} is not a folder`, "set DATA_DIR to a folder");
  if (!isWritable(dataDir)) {
    const isOwn = stats.uid === process.getuid?.();
    return fail(
      name,
      `${dataDir} is not writable`,
      isOwn ? `chmod 700 ${shellWord(dataDir)}` : asOwnerOf(dataDir),
    );
  }
  const user = process.getuid?.() ?? 0;
  if (user !== 0 && stats.uid !== user && stats.uid !== 0)
    return fail(name, `${dataDir} belongs to another user, ${nameOf(stats.uid)}`, asOwnerOf(dataDir));
  if ((stats.mode & 0o077) !== 0) {
    return warn(
      name,
      `${dataDir} can be accessed by other users (mode ${modeOf(stats)})`,
      `chmod 700 ${shellWord(dataDir)}`,
    );
  }
  return ok(name, `${dataDir}, writable, mode ${modeOf(stats)}`);
};

/** Free space where the data folder lies, or will lie. */
export const checkFreeSpace = (dataDir: string): Check => {
  const { bavail, bsize } = statfsSync(existingParent(dataDir));
  const freeBytes = bavail * bsize;
  const detail = `${formatBytes(freeBytes)} free`;
  if (freeBytes < minFreeBytes) {
    return fail(
      "free space",
      detail,
      `with less than ${formatBytes(minFreeBytes)} the server stops writing; free some disk space`,
    );
  }
  if (freeBytes < comfortableFreeBytes)
    return warn("free space", detail, "free some disk space before it runs out");
  return ok("free space", detail);
};

/** The key file: there once the server has run, and readable by its owner alone. */
export const checkKeyFile = (dataDir: string, hasAppSecret: boolean, hasDatabase: boolean): Check => {
  const name = "key";
  if (hasAppSecret) return ok(name, "from APP_SECRET");
  const path = join(dataDir, "app.key");
  const stats = statOf(path);
  if (stats === null) {
    return hasDatabase
      ? warn(
          name,
          `${path} is missing, though the database exists`,
          "if the server has already run, restore the file from a backup or set APP_SECRET to its content; otherwise the first start creates it",
        )
      : ok(name, `${path} does not exist yet; the first start creates it`);
  }
  if ((stats.mode & 0o077) !== 0) {
    return fail(
      name,
      `${path} can be read by other users (mode ${modeOf(stats)})`,
      `chmod 600 ${shellWord(path)}`,
    );
  }
  return ok(name, `${path}, mode ${modeOf(stats)}`);
};

/** The operator's filter of breached passwords: how large it is, and of when; nothing without one. */
export const checkPasswordFilter = (facts: FilterFacts | null): Check[] => {
  if (facts === null) return [];
  const name = "breached passwords";
  if ("fault" in facts)
    return [
      fail(
        name,
        `${facts.path} can't be used, so new passwords aren't looked up in it: ${facts.fault}`,
        "make it again: atrium passwords build-filter FILE",
      ),
    ];
  const passwords = counted(facts.passwords, "password");
  return [
    ok(name, `a filter of ${passwords}, ${formatBytes(facts.sizeBytes)}, made ${formatMinute(facts.madeAt)}`),
  ];
};

/** Who holds the data folder. Linux lists the holders of all locks; elsewhere the number in the file must do. */
export const checkLock = (dataDir: string, isServerRunning: boolean): Check => {
  const name = "lock";
  const pid = lockHolder(dataDir);
  if (pid === null) return ok(name, "free");
  if (isServerRunning) return ok(name, `held by the running server (pid ${pid})`);
  return warn(
    name,
    `held by pid ${pid}, which does not respond on the control socket`,
    "if it is starting or stopping, wait; otherwise end that process",
  );
};

/** The clock: not before the newest file of the installation, whose time stamps would then lie in the future. */
export const checkClock = (dataDir: string, now: Date): Check => {
  const newest = Math.max(...["app.key", "lock"].map((file) => statOf(join(dataDir, file))?.mtimeMs ?? 0));
  if (newest > now.getTime() + 5 * 60_000) {
    return warn(
      "clock",
      `${now.toISOString()} is before ${new Date(newest).toISOString()}, when the data folder was last used`,
      "set the clock; sessions and emailed links depend on it",
    );
  }
  return ok("clock", now.toISOString());
};

/** The process that holds the lock of a data folder; `null` when none does. */
export const lockHolder = (dataDir: string): number | null => {
  const path = join(dataDir, "lock");
  const stats = statOf(path);
  if (stats === null) return null;
  const named = livingPid(Number.parseInt(readFileSync(path, "utf8"), 10));
  if (!existsSync("/proc/locks")) return named;
  const line = readFileSync("/proc/locks", "utf8")
    .split("\n")
    .find((entry) => entry.includes("FLOCK") && entry.includes(`:${stats.ino} `));
  // The file names the server; the lock itself is held by its database process.
  return line === undefined ? null : (named ?? Number(line.trim().split(/\s+/)[4]));
};

const livingPid = (pid: number): number | null => {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // EPERM: it lives, as another user.
    return Reflect.get(Object(error), "code") === "EPERM" ? pid : null;
  }
};

/** `null` for what is not there; what may not be looked at is no such thing, and throws. */
const statOf = (path: string): Stats | null => statSync(path, { throwIfNoEntry: false }) ?? null;

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const modeOf = (stats: Stats): string => (stats.mode & 0o777).toString(8).padStart(4, "0");

/** What interrupted work and former databases left in the data folder. What is younger than an hour may be at work still. */
export const checkLeftovers = (dataDir: string, now: Date): Check => {
  const name = "leftovers";
  const old = namesIn(dataDir).filter((entry) => {
    const modifiedMs = statSync(join(dataDir, entry), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    return leftover.test(entry) && now.getTime() - modifiedMs > atWorkMs;
  });
  if (old.length === 0) return ok(name, "none");
  return warn(
    name,
    `${old.join(", ")} in ${dataDir}`,
    `once the installation works without them: rm -r ${old.map((entry) => shellWord(join(dataDir, entry))).join(" ")}`,
  );
};

/** The control socket of a server that is gone. */
export const checkSocket = (controlSocket: string, isRunning: boolean): Check =>
  isRunning || statSync(controlSocket, { throwIfNoEntry: false }) === undefined
    ? ok("control socket", isRunning ? "answers" : "no server is running")
    : ok("control socket", `${controlSocket} was left by a server that ended; the next start replaces it`);

const leftover = /\.(?:tmp|part|draft)$|^verify-\w{6}$|^database\.(?:replaced|restoring|damaged)\b/;
const atWorkMs = 60 * 60_000;

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    // Before the first start.
    if (Reflect.get(Object(error), "code") === "ENOENT") return [];
    throw error;
  }
};
