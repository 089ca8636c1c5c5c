import type { Manifest } from "#contract/plugin-manifest.ts";
import { readManifest } from "#contract/plugin-manifest.ts";
import { manifestTexts } from "#contract/plugin-texts.ts";
import { compilePattern } from "./compile-pattern.ts";
import { hashOfList, listContent, type PackageFile } from "./content-hash.ts";
import { hashInSlices } from "./in-slices.ts";
import { jsonFault } from "./json-fault.ts";
import { judgePackage, type TrustRules, type Verdict } from "./judge.ts";
import { PackageError } from "./package-error.ts";
import { readZip } from "./read-zip.ts";
import { isRange } from "./versions.ts";

export { isSignatureProblem, type TrustRules } from "./judge.ts";

/** A package in memory, with what the server's rules say of it. */
export type ReadPackage = Verdict & {
  /** By path, `plugin.json` and signature included. */
  files: ReadonlyMap<string, Uint8Array>;
  manifest: Manifest;
  /** Of the zip file. */
  sizeBytes: number;
  /** Of the zip file, in hexadecimal digits. */
  sha256: string;
  /** Of what is in it but for its signature: equal for equal content. */
  contentSha256: string;
};

/** How large a plugin's code and its style sheet may be. */
export const mostBundleBytes = 5_000_000;

// Far more than a manifest with a large schema of settings takes.
const mostManifestBytes = 250_000;

/**
 * Reads a package without running anything of it. Throws {@link PackageError} when it cannot be read or is wrong in itself;
 * whether it may be installed and started is told by `problems`: only when there are none.
 */
export const readPackage = async (
  bytes: Uint8Array,
  { trust }: { trust: TrustRules },
): Promise<ReadPackage> => {
  const files = await readZip(bytes);
  const manifest = manifestOf(files);
  checkEntries(manifest, files);
  const list: PackageFile[] = await listContent(files);
  const contentSha256 = await hashOfList(list);
  return {
    files,
    manifest,
    sizeBytes: bytes.length,
    sha256: await hashInSlices(bytes),
    contentSha256,
    ...judgePackage({ manifest, files, list, contentSha256 }, trust),
  };
};

/** A bundle of a package as text. Throws `entry_missing` where there is no such file, `entry_unreadable` where it is no text. */
export const textOf = ({ files }: Pick<ReadPackage, "files">, path: string): string => {
  const bytes = files.get(path);
  if (bytes === undefined) throw new PackageError("entry_missing", { about: path });
  return decode(bytes) ?? refuseText(path);
};

const refuseText = (path: string): never => {
  throw new PackageError("entry_unreadable", { about: path });
};

/** The manifest of a package's files. Throws {@link PackageError} with what is wrong with it. */
export const manifestOf = (files: ReadonlyMap<string, Uint8Array>): Manifest => {
  const bytes = files.get("plugin.json");
  if (bytes === undefined) throw new PackageError("manifest_missing");
  const read = readManifest(parse(bytes), { compilePattern });
  if ("problems" in read) throw new PackageError("manifest_invalid", { problems: read.problems });
  const ranges = Object.entries({ ...read.manifest.dependsOn }).map(([name, range]) => [
    `dependsOn.${name}`,
    range,
  ]);
  const problems = [["engines.atrium", read.manifest.engines.atrium], ...ranges].flatMap(
    ([path = "", range = ""]) => (isRange(range) ? [] : [{ path, message: manifestTexts.range }]),
  );
  if (problems.length > 0) throw new PackageError("manifest_invalid", { problems });
  return read.manifest;
};

const parse = (bytes: Uint8Array): unknown => {
  if (bytes.length > mostManifestBytes) throw new PackageError("manifest_unreadable");
  const text = decode(bytes);
  if (text === null) throw new PackageError("manifest_unreadable");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const about = jsonFault(text);
    throw new PackageError("manifest_unreadable", { cause, ...(about === null ? {} : { about }) });
  }
};

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Guessing at another encoding would run something else than what was signed and reviewed.
    return null;
  }
};

/** Bundles must be there, of a reasonable size, and text. */
const checkEntries = ({ backend, frontend }: Manifest, files: ReadonlyMap<string, Uint8Array>): void => {
  for (const path of [backend?.entry, frontend?.entry, frontend?.css]) {
    if (path === undefined || path === null) continue;
    const bytes = files.get(path);
    if (bytes === undefined) throw new PackageError("entry_missing", { about: path });
    if (bytes.length > mostBundleBytes) throw new PackageError("entry_too_large", { about: path });
    textOf({ files }, path);
  }
};
