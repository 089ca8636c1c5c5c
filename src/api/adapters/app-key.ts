import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { keyComplaint, UnusableKeyError } from "#api/core/key-complaint.ts";

/** The part of the configuration that says where the key comes from. */
export type AppKeyConfig = { appSecret: string | null; appSecretPrevious: string | null; dataDir: string };

/** The root of all derived keys, and the one before it while a change of key is under way. */
export type AppKey = { root: Uint8Array; previous: Uint8Array | null };

/**
 * The installation's key: `APP_SECRET`, else the text of `DATA_DIR/app.key`, which is made when `mayMake` says that no
 * key was ever used. Both are taken as UTF-8 text, so that the file's content can be moved into the variable as it is.
 * Throws `UnusableKeyError`.
 */
export const loadAppKey = (config: AppKeyConfig, mayMake: boolean): AppKey => {
  const root =
    config.appSecret === null
      ? readOrMakeKeyFile(config.dataDir, mayMake)
      : acceptable("APP_SECRET", config.appSecret);
  const previous =
    config.appSecretPrevious === null ? null : acceptable("APP_SECRET_PREVIOUS", config.appSecretPrevious);
  return { root, previous };
};

const acceptable = (variable: string, secret: string): Uint8Array => {
  const complaint = keyComplaint(secret);
  if (complaint === null) return new TextEncoder().encode(secret);
  throw new UnusableKeyError(
    `${variable} ${complaint}. Set it to at least 32 random bytes, for example the output of: openssl rand -base64 48`,
  );
};

const lostKeyRemedy =
  "This database was already used with a key: restore the file from a backup, or set APP_SECRET to its content";

/**
 * The key in `dataDir/app.key`, made first when there is none and `mayMake` allows it. A file that is there is never replaced: with another key
 * everything stored under the lost one would stay unreadable. Throws `UnusableKeyError`.
 */
const readOrMakeKeyFile = (dataDir: string, mayMake: boolean): Uint8Array => {
  const path = join(dataDir, "app.key");
  if (!existsSync(path)) {
    if (!mayMake) throw new UnusableKeyError(`${path} is missing. ${lostKeyRemedy}`);
    makeKeyFile(dataDir, path);
  }
  const secret = readKeyFile(dataDir, path).trim();
  const complaint = keyComplaint(secret);
  if (complaint === null) return new TextEncoder().encode(secret);
  throw new UnusableKeyError(
    `${path} ${complaint}. Restore the file from a backup. Remove it only if the stored secrets are no longer needed: a new one is created at the next start`,
  );
};

/** Throws for a file that someone else can have put there, or that everyone can get at and read. */
const refuseOpen = (dataDir: string, path: string): void => {
  const { mode, uid } = statSync(path);
  const self = process.getuid?.();
  const isForeign = uid !== self && uid !== rootId;
  const isOpen = (mode & forOthers.reading) !== 0 && (statSync(dataDir).mode & forOthers.entering) !== 0;
  if (isForeign || (mode & forOthers.writing) !== 0)
    throw new UnusableKeyError(
      `${path} belongs to another user, or others can write to it: it may be someone else's key. If it is the right one: chown and chmod 600 ${path}`,
    );
  if (isOpen)
    throw new UnusableKeyError(`${path} can be read by every user of this machine. Run: chmod 600 ${path}`);
};

const rootId = 0;
const forOthers = { reading: 0o004, writing: 0o002, entering: 0o001 };

const readKeyFile = (dataDir: string, path: string): string => {
  try {
    refuseOpen(dataDir, path);
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof UnusableKeyError) throw cause;
    throw new UnusableKeyError(`${path} cannot be read (${reasonOf(cause)}). Let this user read it`, {
      cause,
    });
  }
};

/** Whoever looks sees no key file or a complete one: it is written aside, synced and linked into place. */
const makeKeyFile = (dataDir: string, path: string): void => {
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeAsideAndLink(draft, path);
    syncFolder(dataDir);
  } catch (cause) {
    throw new UnusableKeyError(
      `${path} cannot be created (${reasonOf(cause)}). Make DATA_DIR writable for this user, or set APP_SECRET`,
      { cause },
    );
  }
};

const writeAsideAndLink = (draft: string, path: string): void => {
  try {
    // Hexadecimal digits cannot spell a placeholder, for which the key would be refused at the next start.
    writeSynced(draft, `${randomBytes(32).toString("hex")}\n`);
    linkSync(draft, path);
  } catch (error) {
    // Another process made the key in the meantime: its key is the installation's.
    if (reasonOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

const writeSynced = (path: string, content: string): void => {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
