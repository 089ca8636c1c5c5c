import { createHash, type KeyObject, sign, verify } from "node:crypto";
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

/** The content of `integrity.json`: what is in a package of this name and version, and who says so. */
export type Integrity = {
  schema: 1;
  name: string;
  version: string;
  /** Sorted by path; all files but `integrity.json` and `signature.json`. */
  files: PackageFile[];
  publisher: string;
  /** ISO 8601, from the publisher's clock. */
  signedAt: string;
};

/** The content of `signature.json`. */
export type Signature = { alg: "ed25519"; keyId: string; sig: string };

// A signature made for another purpose must not pass for one of a package.
const context = Buffer.from("atrium-plugin-v1\n");

/** Signs the raw bytes of an `integrity.json`. */
export const signIntegrity = (integrity: Uint8Array, key: KeyObject): Buffer =>
  sign(null, Buffer.concat([context, integrity]), key);

/** Whether a signature is the key's over exactly these bytes. */
export const isSignedBy = (
  integrity: Uint8Array,
  { key, sig }: { key: KeyObject; sig: Uint8Array },
): boolean => verify(null, Buffer.concat([context, integrity]), key, sig);

/** The bytes of an `integrity.json`: without white space, so that the same files always make the same bytes. */
export const createIntegrity = async (
  files: ReadonlyMap<string, Uint8Array>,
  about: Pick<Integrity, "name" | "version" | "publisher" | "signedAt">,
): Promise<Uint8Array> => {
  const { name, version, publisher, signedAt } = about;
  const integrity: Integrity = {
    schema: 1,
    name,
    version,
    files: await listContent(files),
    publisher,
    signedAt,
  };
  return new TextEncoder().encode(JSON.stringify(integrity));
};

/** The `integrity.json` of a package: its content, or `null` if it is missing or invalid. */
export const readIntegrity = (files: ReadonlyMap<string, Uint8Array>): Integrity | null => {
  const value = parse(files.get(integrityFile));
  return isIntegrity(value) ? value : null;
};

/** The `signature.json` of a package with its 64 bytes decoded, or `null` if it is missing or invalid. */
export const readSignature = (
  files: ReadonlyMap<string, Uint8Array>,
): { keyId: string; sig: Uint8Array } | null => {
  const value = parse(files.get(signatureFile));
  if (!isSignature(value)) return null;
  const { keyId, sig } = value;
  const bytes = Buffer.from(sig, "base64");
  return bytes.length === 64 && bytes.toString("base64") === sig ? { keyId, sig: bytes } : null;
};

const parse = (bytes: Uint8Array | undefined): unknown => {
  if (bytes === undefined) return null;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // What can't be parsed is no signature, whatever the reason.
    return null;
  }
};

type Tests = Record<string, (value: unknown) => boolean>;

const isText = (value: unknown): boolean => typeof value === "string";
const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isInstant = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 40 && !Number.isNaN(Date.parse(value));

const hasExactly = (value: unknown, tests: Tests): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === Object.keys(tests).length &&
  Object.entries(tests).every(([key, holds]) => {
    const field = Object.getOwnPropertyDescriptor(value, key);
    return field !== undefined && holds(field.value);
  });

const isSignature = (value: unknown): value is Signature =>
  hasExactly(value, { alg: (alg) => alg === "ed25519", keyId: isHash, sig: isText });

const isIntegrity = (value: unknown): value is Integrity =>
  hasExactly(value, {
    schema: (schema) => schema === 1,
    name: isText,
    version: isText,
    files: (files) =>
      Array.isArray(files) &&
      files.every((file) => hasExactly(file, { path: isText, size: Number.isSafeInteger, sha256: isHash })),
    publisher: (publisher) => typeof publisher === "string" && publisher.length <= 200,
    signedAt: isInstant,
  });
