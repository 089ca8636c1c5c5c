import { validRange } from "semver";
import { AppError } from "#api/core/app-error.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { type Manifest, readManifest } from "#contract/plugin-manifest.ts";
import { manifestTexts, pluginTexts } from "#contract/plugin-texts.ts";
import { compilePattern } from "./compile-pattern.ts";
import { hashOfList, listContent } from "./content-hash.ts";
import { isSignatureProblem, judgePackage, type TrustRules, type Verdict } from "./judge.ts";
import { hashInSlices, PackageError, type UnpackedEntry, unpackZip } from "./read-zip.ts";

/** A package in memory, with the result of the server's rules. */
export type ReadPackage = Verdict & {
  /** By path, including `plugin.json` and the signature. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Where each of the files is in the zip file, by the same paths. */
  entries: ReadonlyMap<string, UnpackedEntry>;
  manifest: Manifest;
  /** Of the zip file. */
  sizeBytes: number;
  /** Of the zip file, in hexadecimal digits. */
  sha256: string;
  /** Of its files without the signature: equal for equal content. */
  contentSha256: string;
};

/** The maximum size of a plugin's code and its stylesheet. */
const mostBundleBytes = 5_000_000;

// Far more than a manifest with a large settings schema needs.
const mostManifestBytes = 250_000;

/**
 * Reads a package without running anything of it. Throws {@link PackageError} if it can't be read or is invalid; it may
 * only be installed and started if `problems` is empty.
 */
export const readPackage = async (
  bytes: Uint8Array,
  { trust }: { trust: TrustRules },
): Promise<ReadPackage> => {
  const { files, entries } = await unpackZip(bytes);
  const manifest = manifestOf(files);
  checkEntries(manifest, files);
  const list = listContent(entries);
  const contentSha256 = hashOfList(list);
  return {
    files,
    entries,
    manifest,
    sizeBytes: bytes.length,
    sha256: await hashInSlices(bytes),
    contentSha256,
    ...judgePackage({ manifest, files, list, contentSha256 }, trust),
  };
};

/**
 * A bundle of a package as text. Throws `entry_missing` if there is no such file, `entry_unreadable` if it is not text.
 */
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
    ([path = "", range = ""]) => (validRange(range) === null ? [{ path, message: manifestTexts.range }] : []),
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
    // Guessing another encoding would run something else than what was signed and reviewed.
    return null;
  }
};

/** Bundles must exist, have a reasonable size, and be text. */
const checkEntries = ({ backend, frontend }: Manifest, files: ReadonlyMap<string, Uint8Array>): void => {
  for (const path of [backend?.entry, frontend?.entry, frontend?.css]) {
    if (path === undefined || path === null) continue;
    const bytes = files.get(path);
    if (bytes === undefined) throw new PackageError("entry_missing", { about: path });
    if (bytes.length > mostBundleBytes) throw new PackageError("entry_too_large", { about: path });
    textOf({ files }, path);
  }
};

/**
 * Reads an uploaded package. Throws `PAYLOAD_TOO_LARGE`, and `PLUGIN_INVALID` with one entry per problem: first of all,
 * that its name belongs to a plugin of the product whose content it doesn't have. For an invalid signature, `data` says
 * which plugin it is and the signature's state.
 */
export const readUpload = async (bytes: Uint8Array, trust: TrustRules): Promise<VerifiedPackage> => {
  const read = await readPackage(bytes, { trust }).catch(refuse);
  const { manifest, sha256, sizeBytes, files, signature, tier, problems } = read;
  const shipped = trust.bundled.get(manifest.name);
  const isOfFeature = trust.features?.includes(manifest.name) === true;
  const isReserved = isOfFeature || (shipped !== undefined && tier !== "bundled");
  // A stored package may be an edited copy from before these names were reserved.
  if (isReserved && (trust.storedAt ?? null) === null) {
    const message = isOfFeature
      ? pluginTexts.nameOfFeature(manifest.name)
      : pluginTexts.nameTaken(manifest.name);
    throw new AppError("PLUGIN_INVALID", message, { errors: [{ path: "name", message }] });
  }
  const forged = problems.find(isSignatureProblem);
  if (forged !== undefined)
    throw new AppError("PLUGIN_INVALID", forged.message, {
      errors: problems.map(({ message }) => ({ path: "plugin", message })),
      data: { signature: signature.state, plugin: manifest.name },
    });
  const distrust = problems[0]?.message ?? null;
  // The content of this release comes first.
  const isFormer = tier === "bundled" && shipped?.[0] !== read.contentSha256;
  return { manifest, sha256, sizeBytes, files: files.size, signature, tier, isFormer, distrust };
};

const refuse = (error: unknown): Promise<ReadPackage> => {
  if (!(error instanceof PackageError)) throw error;
  if (error.code === "too_large") throw new AppError("PAYLOAD_TOO_LARGE", error.message, { cause: error });
  const errors = error.problems.length > 0 ? error.problems : [{ path: "plugin", message: error.message }];
  throw new AppError("PLUGIN_INVALID", error.message, { cause: error, errors });
};

/** Where a text stops being JSON, as "line 3, column 5"; `null` for JSON. `JSON.parse` does not say it. */
export const jsonFault = (text: string): string | null => {
  const offset = faultOffset(text);
  if (offset === null) return null;
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
};

const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.source;

const value = `[{[]|${string}|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null`;

const space = /[ \t\r\n]*/y;

const expectations = {
  value: new RegExp(value, "y"),
  firstItem: new RegExp(`\\]|${value}`, "y"),
  key: new RegExp(string, "y"),
  firstKey: new RegExp(`\\}|${string}`, "y"),
  colon: /:/y,
  restOfObject: /[,}]/y,
  restOfArray: /[,\]]/y,
  end: /$/y,
};

type Expected = keyof typeof expectations;

// Without recursion: a hostile text can be nested as deeply as it is long.
const faultOffset = (text: string): number | null => {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at += tokenAt(space, text, at)?.length ?? 0;
    const token = tokenAt(expectations[expected], text, at);
    if (token === null) return at;
    if (expected === "end") return null;
    at += token.length;
    if (token === "{" || token === "[") open.push(token);
    if (token === "}" || token === "]") open.pop();
    expected = expectedAfter(token, expected, open.at(-1));
  }
};

const expectedAfter = (token: string, met: Expected, inside: string | undefined): Expected => {
  if (token === "{") return "firstKey";
  if (token === "[") return "firstItem";
  if (token === ":") return "value";
  if (token === ",") return inside === "{" ? "key" : "value";
  if (token !== "}" && (met === "key" || met === "firstKey")) return "colon";
  if (inside === undefined) return "end";
  return inside === "{" ? "restOfObject" : "restOfArray";
};

const tokenAt = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};
