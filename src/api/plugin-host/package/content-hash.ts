import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";

/** The files that list what is in a package, and who signed it. */
export const integrityFile = "integrity.json";
export const signatureFile = "signature.json";

/** A file of a package, as `integrity.json` lists it. */
export type PackageFile = { path: string; size: number; sha256: string };

/** All files of a package, ordered by path. */
export const listFiles = async (files: ReadonlyMap<string, Uint8Array>): Promise<PackageFile[]> => {
  const turn = takingTurns();
  const list: PackageFile[] = [];
  for (const [path, bytes] of [...files].sort(byPath)) {
    await turn();
    list.push({ path, size: bytes.length, sha256: await hashInSlices(bytes) });
  }
  return list;
};

// By code units, independent of the locale: the order decides what is signed.
const byPath = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** The files of a package without its integrity and signature, ordered by path. */
export const listContent = (files: ReadonlyMap<string, Uint8Array>): Promise<PackageFile[]> =>
  listFiles(new Map([...files].filter(([path]) => path !== integrityFile && path !== signatureFile)));

/**
 * Equal for two packages exactly if they contain the same files, signed or not: SHA-256 in hexadecimal digits over the
 * sorted paths and hashes, one per line.
 */
export const contentHash = async (files: ReadonlyMap<string, Uint8Array>): Promise<string> =>
  hashOfList(await listContent(files));

/** The same from the list of files. */
export const hashOfList = (list: readonly PackageFile[]): Promise<string> =>
  hashInSlices(Buffer.from(list.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("")));

// About two milliseconds of work on a slow machine.
const sliceBytes = 1_000_000;

/** SHA-256 in hexadecimal digits; yields to other work while it hashes much. */
export const hashInSlices = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + sliceBytes));
  }
  return hash.digest("hex");
};

/** The checksum of zip files; yields to other work while it sums up much. */
export const crcInSlices = async (bytes: Uint8Array): Promise<number> => {
  let crc = 0;
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    crc = crc32(bytes.subarray(at, at + sliceBytes), crc);
  }
  return crc;
};

/** Returns a function to await between small pieces of work: it yields to other work every few milliseconds. */
export const takingTurns = (turnMs = 8): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMs) return;
    await setImmediate();
    began = performance.now();
  };
};
