import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";

/** The files in which a package says what is in it, and who says so. */
export const integrityFile = "integrity.json";
export const signatureFile = "signature.json";

/** A file of a package, as `integrity.json` lists it. */
export type PackageFile = { path: string; size: number; sha256: string };

/** All files of a package, in the order of their paths. */
export const listFiles = async (files: ReadonlyMap<string, Uint8Array>): Promise<PackageFile[]> => {
  const turn = takingTurns();
  const list: PackageFile[] = [];
  for (const [path, bytes] of [...files].sort(byPath)) {
    await turn();
    list.push({ path, size: bytes.length, sha256: await hashInSlices(bytes) });
  }
  return list;
};

// By code units, whatever the machine's language: the order decides what is signed.
const byPath = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** The files of a package but for its integrity and signature, in the order of their paths. */
export const listContent = (files: ReadonlyMap<string, Uint8Array>): Promise<PackageFile[]> =>
  listFiles(new Map([...files].filter(([path]) => path !== integrityFile && path !== signatureFile)));

/**
 * What two packages share exactly when the same files are in them, signed or not: SHA-256 in hexadecimal digits over
 * the sorted paths and hashes, a line each.
 */
export const contentHash = async (files: ReadonlyMap<string, Uint8Array>): Promise<string> =>
  hashOfList(await listContent(files));

/** The same from the list of files. */
export const hashOfList = (list: readonly PackageFile[]): Promise<string> =>
  hashInSlices(Buffer.from(list.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("")));

// About two milliseconds of work on a slow machine.
const sliceBytes = 1_000_000;

/** SHA-256 in hexadecimal digits; other work gets its turn while much is hashed. */
export const hashInSlices = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + sliceBytes));
  }
  return hash.digest("hex");
};

/** The checksum of zip files; other work gets its turn while much is summed up. */
export const crcInSlices = async (bytes: Uint8Array): Promise<number> => {
  let crc = 0;
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    crc = crc32(bytes.subarray(at, at + sliceBytes), crc);
  }
  return crc;
};

/** Returns a function to await between small pieces of work: it lets other work have its turn every few milliseconds. */
export const takingTurns = (turnMs = 8): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMs) return;
    await setImmediate();
    began = performance.now();
  };
};
