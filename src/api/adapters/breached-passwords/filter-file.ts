import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import type { BreachCheck } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import type { SettingsService } from "#api/core/settings.ts";
import type { Outbound } from "../outbound/create-outbound.ts";

/**
 * The breached passwords that an operator keeps at hand: of the SHA-1 of each its first 40 bits, in order. 16 bits choose
 * one of 65,536 buckets, whose beginnings stand in a table; the other 24 are stored. A password that isn't among N is taken
 * for one with a probability of N / 2^40: 0.001 % for ten million, which are 30 MB.
 *
 * The file: eight bytes of magic, 65,537 numbers of four bytes (little endian), then three bytes for each password.
 */
const magic = new TextEncoder().encode("ATRBRP01");
const buckets = 65_536;
const tableBytes = (buckets + 1) * 4;
const headBytes = magic.length + tableBytes;
const suffixBytes = 3;

/** The file isn't what such a file is, or not all of it; it isn't used then. */
class BrokenFilterError extends Error {}

/** Takes the SHA-1 hashes of breached passwords in rising order and gives the parts of the file. */
export const createFilterBuilder = () => {
  const table = new Uint32Array(buckets + 1);
  const suffixes = growing();
  let last = -1;
  let total = 0;
  return {
    /** Adds a hash of 40 hexadecimal digits. False when it comes before the last one; a repeated one counts once. */
    add: (hash: string): boolean => {
      const bucket = Number.parseInt(hash.slice(0, 4), 16);
      const suffix = Number.parseInt(hash.slice(4, 10), 16);
      const place = bucket * 2 ** 24 + suffix;
      if (place < last) return false;
      if (place === last) return true;
      last = place;
      total += 1;
      table[bucket + 1] = total;
      suffixes.push(suffix);
      return true;
    },
    count: () => total,
    /** The file's contents; nothing can be added afterwards. */
    parts: (): Uint8Array[] => {
      const head = new Uint8Array(headBytes);
      head.set(magic);
      const view = new DataView(head.buffer);
      let end = 0;
      for (let bucket = 0; bucket <= buckets; bucket += 1) {
        // A bucket without passwords ends where the one before it does.
        end = Math.max(end, table[bucket] ?? 0);
        view.setUint32(magic.length + bucket * 4, end, true);
      }
      return [head, ...suffixes.parts()];
    },
  };
};

const chunkEntries = 1_000_000;

/** Three-byte numbers, in pieces: a list of a hundred million would otherwise be copied each time it grows. */
const growing = () => {
  const full: Uint8Array[] = [];
  let chunk = new Uint8Array(chunkEntries * suffixBytes);
  let used = 0;
  return {
    push: (value: number) => {
      if (used === chunk.length) {
        full.push(chunk);
        chunk = new Uint8Array(chunkEntries * suffixBytes);
        used = 0;
      }
      chunk[used] = value >> 16;
      chunk[used + 1] = (value >> 8) & 0xff;
      chunk[used + 2] = value & 0xff;
      used += suffixBytes;
    },
    parts: () => [...full, chunk.subarray(0, used)],
  };
};

/** Writes the file anew at a path that doesn't exist yet, readable for this user only. */
export const writeFilterFile = (path: string, parts: readonly Uint8Array[]): void => {
  const file = openSync(path, "wx", 0o600);
  try {
    for (const part of parts) writeSync(file, part);
  } finally {
    closeSync(file);
  }
};

/**
 * Whether the file at `path` holds a password with this SHA-1; `null` when there is no file. It is opened for each question,
 * so that a new file counts without a restart. Throws {@link BrokenFilterError} for a file of another kind or size.
 */
const isInFilter = (path: string, sha1: Uint8Array): boolean | null => {
  const file = openExisting(path);
  if (file === null) return null;
  try {
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = sha1;
    const bucket = a * 256 + b;
    const { start, end } = bucketBounds(file, bucket);
    const suffixes = readAt(file, headBytes + start * suffixBytes, (end - start) * suffixBytes);
    return holds(suffixes, c * 65_536 + d * 256 + e);
  } finally {
    closeSync(file);
  }
};

/** How many passwords the file at `path` holds; `null` when there is no file. Throws {@link BrokenFilterError}. */
const countInFilter = (path: string): number | null => {
  const file = openExisting(path);
  if (file === null) return null;
  try {
    return bucketBounds(file, 0).total;
  } finally {
    closeSync(file);
  }
};

/** A file of breached passwords as doctor shows it: how many it holds, or why it can't be used. */
export type FilterFacts = { path: string; sizeBytes: number; madeAt: string } & (
  | { passwords: number }
  | { fault: string }
);

/** What is known of the file at `path`; `null` when there is no file. Throws when it can't be read. */
export const inspectFilter = (path: string): FilterFacts | null => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const facts = { path, sizeBytes: stats.size, madeAt: stats.mtime.toISOString() };
  try {
    return { ...facts, passwords: countInFilter(path) ?? 0 };
  } catch (error) {
    if (!(error instanceof BrokenFilterError)) throw error;
    return { ...facts, fault: error.message };
  }
};

const openExisting = (path: string): number | null => {
  try {
    return openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (Reflect.get(Object(error), "code") === "ENOENT") return null;
    throw error;
  }
};

const bucketBounds = (file: number, bucket: number): { start: number; end: number; total: number } => {
  const head = readAt(file, 0, magic.length);
  if (!magic.every((byte, index) => head[index] === byte))
    throw new BrokenFilterError("the file of breached passwords is of another kind");
  const total = numberAt(file, buckets);
  if (fstatSync(file).size !== headBytes + total * suffixBytes)
    throw new BrokenFilterError("the file of breached passwords is incomplete");
  const [start, end] = [numberAt(file, bucket), numberAt(file, bucket + 1)];
  if (start > end || end > total) throw new BrokenFilterError("the file of breached passwords is damaged");
  return { start, end, total };
};

const numberAt = (file: number, index: number): number =>
  new DataView(readAt(file, magic.length + index * 4, 4).buffer).getUint32(0, true);

const readAt = (file: number, position: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  const read = readSync(file, bytes, 0, length, position);
  if (read !== length) throw new BrokenFilterError("the file of breached passwords is incomplete");
  return bytes;
};

/** Binary search among sorted numbers of three bytes. */
const holds = (suffixes: Uint8Array, wanted: number): boolean => {
  let low = 0;
  let high = suffixes.length / suffixBytes;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = middle * suffixBytes;
    const value = (suffixes[at] ?? 0) * 65_536 + (suffixes[at + 1] ?? 0) * 256 + (suffixes[at + 2] ?? 0);
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
};

/** Where ranges of hashes are asked for. Source: https://haveibeenpwned.com/API/v3#PwnedPasswords. */
const rangeAddress = "https://api.pwnedpasswords.com/range/";
const limitMs = 1_500;

type BreachCheckOptions = {
  /** They say whether the service may be asked. */
  settings: SettingsService;
  outbound: Outbound;
  /** The operator's own file; see {@link isInFilter}. */
  filterPath: string;
  log: Log;
};

/**
 * Looks a new password up among those of data breaches: in the operator's file, where there is one, then at Have I Been Pwned.
 * Five of the 40 digits of its SHA-1 leave the server, and the answer is padded, so that its size tells nothing.
 */
export const createBreachCheck =
  ({ settings, outbound, filterPath, log }: BreachCheckOptions): BreachCheck =>
  async (password) => {
    const sha1 = createHash("sha1").update(password).digest();
    const inFile = fromFile(filterPath, sha1, log);
    if (inFile === "breached" || settings.current.accounts.breachedPasswords !== "online") return inFile;
    return fromRange(outbound, sha1.toString("hex").toUpperCase());
  };

const fromFile = (path: string, sha1: Uint8Array, log: Log): "breached" | "clean" | "unknown" => {
  try {
    return isInFilter(path, sha1) === true ? "breached" : "clean";
  } catch (error) {
    log.error("the file of breached passwords can't be read", { path, error: describeError(error) });
    return "unknown";
  }
};

const fromRange = async (outbound: Outbound, hash: string): Promise<"breached" | "clean" | "unknown"> => {
  const [prefix, suffix] = [hash.slice(0, 5), hash.slice(5)];
  try {
    const { status, text } = await outbound({
      url: `${rangeAddress}${prefix}`,
      headers: { "add-padding": "true" },
      signal: AbortSignal.timeout(limitMs),
    });
    if (status !== 200) return "unknown";
    const line = text.split(/\r?\n/).find((row) => row.startsWith(`${suffix}:`));
    // Padding has the count 0.
    return Number(line?.slice(suffix.length + 1) ?? 0) > 0 ? "breached" : "clean";
  } catch {
    // The password passes; the caller records that it could not be checked.
    return "unknown";
  }
};
