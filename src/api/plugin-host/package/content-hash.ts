import { hashInSlices, takingTurns } from "./in-slices.ts";

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
