import { type KeyObject, sign, verify } from "node:crypto";
import { digestOf } from "#api/core/ids.ts";
import { type UnpackedEntry, unpackZip } from "./read-zip.ts";

/** The files that list what is in a package, and who signed it. */
export const integrityFile = "integrity.json";
export const signatureFile = "signature.json";

/** A file of a package, as `integrity.json` lists it. */
export type PackageFile = { path: string; size: number; sha256: string };

/** The files of a package without its integrity and signature, ordered by path. */
export const listContent = (entries: ReadonlyMap<string, UnpackedEntry>): PackageFile[] =>
  [...entries]
    .filter(([path]) => path !== integrityFile && path !== signatureFile)
    .map(([path, { bytes, sha256 }]) => ({ path, size: bytes, sha256 }))
    // By code units, independent of the locale: the order decides what is signed.
    .sort((one, other) => (one.path < other.path ? -1 : 1));

/**
 * Equal for two packages exactly if they contain the same files, signed or not: SHA-256 in hexadecimal digits over the
 * sorted paths and hashes, one per line.
 */
export const hashOfList = (list: readonly PackageFile[]): string =>
  digestOf(Buffer.from(list.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("")));

/** The same from the bytes of a package. Throws a `PackageError` if it can't be read. */
export const contentHash = async (zip: Uint8Array): Promise<string> =>
  hashOfList(listContent((await unpackZip(zip)).entries));

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
export const createIntegrity = (
  files: PackageFile[],
  { name, version, publisher, signedAt }: Pick<Integrity, "name" | "version" | "publisher" | "signedAt">,
): Uint8Array => {
  const integrity: Integrity = { schema: 1, name, version, files, publisher, signedAt };
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
