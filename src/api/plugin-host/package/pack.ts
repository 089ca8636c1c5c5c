import { deflateSync, zipSync } from "fflate";
import { pluginLimits } from "#contract/plugins.ts";
import {
  createIntegrity,
  integrityFile,
  listContent,
  type Signature,
  signatureFile,
  signIntegrity,
} from "./content-hash.ts";
import { publicKeyOf, readPrivateKey, readPublicKey } from "./keys.ts";
import { manifestOf, type ReadPackage, readPackage } from "./read-package.ts";
import { isPlainPath, looseBytes, PackageError, refuseClashes, unpackZip } from "./read-zip.ts";

/**
 * Packs files, by path, into a zip: the same files always make the same bytes. Throws {@link PackageError} for paths
 * and sizes that no server would accept.
 */
export const packFolder = (files: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const paths = [...files.keys()].sort();
  if (paths.length === 0) throw new PackageError("empty");
  if (paths.length > pluginLimits.files) throw new PackageError("too_many_entries");
  for (const path of paths) if (!isPlainPath(path)) throw new PackageError("bad_path", { about: path });
  refuseClashes(paths.map((path) => ({ path, isFolder: false })));
  const zip = zipSync(Object.fromEntries(paths.map((path) => [path, entryOf(files.get(path), path)])));
  if (zip.length > pluginLimits.packageBytes) throw new PackageError("too_large");
  return zip;
};

type Entry = [Uint8Array, NonNullable<Parameters<typeof zipSync>[1]>];

const entryOf = (bytes: Uint8Array = new Uint8Array(), path: string): Entry => {
  if (bytes.length > pluginLimits.fileBytes) throw new PackageError("file_too_large", { about: path });
  // The zip format only has local times: this is its earliest one, and the same everywhere.
  const mtime = new Date(1980, 0, 1);
  // A regular Unix file that everyone can read.
  const attributes = { os: 3, attrs: (0o100644 << 16) >>> 0 };
  const level = isTooTight(bytes) ? 0 : 9;
  return [bytes, { level, mtime, ...attributes }];
};

/** Whether a reader would take the packed file for a zip bomb; then it is stored uncompressed. */
const isTooTight = (bytes: Uint8Array): boolean =>
  bytes.length > looseBytes && bytes.length > pluginLimits.ratio * deflateSync(bytes, { level: 9 }).length;

/**
 * Signs a package with a private key in PEM, replacing any former signature. `signedAt` is ISO 8601. Also throws {@link
 * PackageError} if it is not a package.
 */
export const signPackage = async (
  zip: Uint8Array,
  { privateKey, publisher, signedAt }: { privateKey: string; publisher: string; signedAt: string },
): Promise<Uint8Array> => {
  const key = readPrivateKey(privateKey);
  const { files, entries } = await unpackZip(zip);
  const { name, version } = manifestOf(files);
  const integrity = createIntegrity(listContent(entries), { name, version, publisher, signedAt });
  const signature: Signature = {
    alg: "ed25519",
    keyId: publicKeyOf(key).keyId,
    sig: signIntegrity(integrity, key).toString("base64"),
  };
  files.set(integrityFile, integrity);
  files.set(signatureFile, new TextEncoder().encode(JSON.stringify(signature)));
  return packFolder(files);
};

/**
 * Reads a package like a server that fully trusts these keys, raw in base64: `signature.state` is `signed` if one of
 * them signed it. Throws {@link PackageError} for an invalid package, and for invalid keys.
 */
export const verifyPackage = (zip: Uint8Array, publicKeys: readonly string[]): Promise<ReadPackage> => {
  const keys = publicKeys.map((publicKey) => ({
    keyId: readPublicKey(publicKey).keyId,
    publicKey,
    label: "",
    tier: "native" as const,
    names: ["*"],
    notBefore: null,
    notAfter: null,
    revokedAt: null,
    source: "store" as const,
    addedBy: null,
    createdAt: null,
  }));
  // Keys without an expiry are always valid.
  const now = new Date(0);
  const trust = { keys, allowUnsigned: true, allowNative: true, now, bundled: new Map(), pinnedKeyId: null };
  return readPackage(zip, { trust });
};
