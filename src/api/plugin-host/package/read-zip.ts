import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { crc32, inflateRaw, inflateRawSync } from "node:zlib";
import type { FieldError } from "#contract/errors.ts";
import { packageTexts } from "#contract/plugin-texts.ts";
import { pluginLimits } from "#contract/plugins.ts";

/** A zip in memory: by the same paths, its files and where each of them is in it. */
type UnpackedZip = { files: Map<string, Uint8Array>; entries: Map<string, UnpackedEntry> };

/**
 * Unpacks a zip into memory: its files by path, without what macOS adds and without a single folder around all of them.
 * Strict: what two readers could understand in two ways is refused. Throws {@link PackageError}.
 */
export const unpackZip = async (bytes: Uint8Array): Promise<UnpackedZip> => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = new Map<string, Uint8Array>();
  const entries = new Map<string, UnpackedEntry>();
  let turnMs = performance.now();
  for (const entry of readZipDirectory(zip)) {
    if (performance.now() - turnMs >= mostTurnMs) {
      await setImmediate();
      turnMs = performance.now();
    }
    const { content, sha256 } = await unpack(zip.subarray(entry.at, entry.at + entry.packedBytes), entry);
    if (entry.isFolder) continue;
    files.set(entry.path, content);
    entries.set(entry.path, { ...entry, sha256 });
  }
  return { files: withoutTopFolder(files), entries: withoutTopFolder(entries) };
};

/** Unpacks one file of a zip again, from its packed bytes alone. Throws {@link PackageError} if they have changed. */
export const unpackAgain = async (packed: Uint8Array, entry: UnpackedEntry): Promise<Uint8Array> => {
  const { content, sha256 } = await unpack(packed, entry);
  if (sha256 !== entry.sha256) throw new PackageError("corrupt", { about: entry.path });
  return content;
};

/** To its declared size at most, with its hash. */
const unpack = async (
  packed: Uint8Array,
  entry: ZipEntry,
): Promise<{ content: Uint8Array; sha256: string }> => {
  // A copy: the files must not change with the buffer that the zip was read from.
  const content = entry.isDeflated ? await inflate(packed, entry) : new Uint8Array(packed);
  const hash = createHash("sha256");
  let crc = 0;
  await inSlices(content, (slice) => {
    hash.update(slice);
    crc = crc32(slice, crc);
  });
  if (content.length !== entry.bytes || crc !== entry.crc)
    throw new PackageError("corrupt", { about: entry.path });
  return { content, sha256: hash.digest("hex") };
};

/** SHA-256 in hexadecimal digits; yields to other work while it hashes much. */
export const hashInSlices = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash("sha256");
  await inSlices(bytes, (slice) => hash.update(slice));
  return hash.digest("hex");
};

// How long other work waits at most, on a slow machine: a slice is about two milliseconds.
const mostTurnMs = 8;
const sliceBytes = 1_000_000;

/** Passes the bytes on one slice after the other, and yields to other work between them. */
const inSlices = async (bytes: Uint8Array, take: (slice: Uint8Array) => void): Promise<void> => {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    take(bytes.subarray(at, at + sliceBytes));
  }
};

type Inflated = { buffer: Uint8Array; engine: { bytesWritten: number } };

const inflateLater = promisify(inflateRaw);

// Small ones are done sooner than a thread could take them over.
const smallBytes = 100_000;

const inflate = async (packed: Uint8Array, entry: ZipEntry): Promise<Uint8Array> => {
  // It stops at the declared size, however much would follow.
  const options = { maxOutputLength: Math.max(1, entry.bytes), info: true };
  try {
    const inflated = asInflated(
      entry.bytes < smallBytes ? inflateRawSync(packed, options) : await inflateLater(packed, options),
    );
    // Other readers might include or hide bytes after the end of the stream.
    if (inflated.engine.bytesWritten !== packed.length) throw new Error("bytes behind the end");
    return inflated.buffer;
  } catch (cause) {
    throw new PackageError("corrupt", { about: entry.path, cause });
  }
};

/** With `info` the result is this, which the types of `node:zlib` don't know. */
const asInflated = (result: unknown): Inflated => result as Inflated;

/** A file of a zip: the position of its packed bytes, and what it must be once it is unpacked. */
type ZipEntry = {
  /** As the zip has it: with the folder around all files, if any. */
  path: string;
  isFolder: boolean;
  isDeflated: boolean;
  crc: number;
  packedBytes: number;
  bytes: number;
  /** Position of its packed bytes. */
  at: number;
};

/** An unpacked file of a zip: `sha256` is its content's, in hexadecimal digits. */
export type UnpackedEntry = ZipEntry & { sha256: string };

/** Source of the layout and the names: APPNOTE.TXT 6.3.10, §4.3. */
const signatures = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 };
const sizes = { local: 30, central: 46, end: 22 };

/**
 * Reads a zip's table of contents: the files and folders of a package. It must explain every single byte, in only one
 * way, so that no other reader can find something else in it. Nothing is unpacked. Throws {@link PackageError}.
 */
const readZipDirectory = (zip: Buffer): ZipEntry[] => {
  if (zip.length > pluginLimits.packageBytes) refuse("too_large");
  const end = findEnd(zip);
  const records = readCentral(zip, end);
  let expected = 0;
  const entries = [...records]
    .sort((one, other) => one.offset - other.offset)
    .map((record) => {
      // Each begins where the one before ended, so nothing is between them, before them or in two of them.
      if (record.offset !== expected) refuse("layout", record.name);
      const at = checkLocal(zip, { record, end: end.central });
      expected = checkDescriptor(zip, { record, at: at + record.packedBytes, end: end.central });
      return toEntry(record, at);
    });
  if (expected !== end.central) refuse("layout");
  return kept(entries);
};

/** Refuses the zip. */
const refuse = (code: PackageErrorCode, about?: string): never => {
  throw new PackageError(code, about === undefined ? {} : { about });
};

type End = { at: number; central: number; count: number };

const findEnd = (zip: Buffer): End => {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(signatures.end);
  // The last one counts, since readers search from the end; a comment that contains another one is refused by its
  // layout.
  const at = zip.lastIndexOf(mark);
  if (at < 0 || zip.length < at + sizes.end) return refuse("not_zip");
  if (at + sizes.end + zip.readUInt16LE(at + 20) !== zip.length) refuse("layout");
  if (zip.readUInt16LE(at + 4) !== 0 || zip.readUInt16LE(at + 6) !== 0) refuse("split");
  const count = zip.readUInt16LE(at + 10);
  const [length, central] = [zip.readUInt32LE(at + 12), zip.readUInt32LE(at + 16)];
  if (count === 0xffff || length === 0xffffffff || central === 0xffffffff) refuse("zip64");
  if (count !== zip.readUInt16LE(at + 8)) refuse("split");
  if (count > pluginLimits.files) refuse("too_many_entries");
  if (central + length !== at) refuse("layout");
  return { at, central, count };
};

type CentralRecord = {
  name: string;
  rawName: Buffer;
  flags: number;
  method: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  offset: number;
};

const readCentral = (zip: Buffer, { at: end, central, count }: End): CentralRecord[] => {
  const records: CentralRecord[] = [];
  let at = central;
  for (let index = 0; index < count; index += 1) {
    if (at + sizes.central > end || zip.readUInt32LE(at) !== signatures.central) refuse("layout");
    const nameEnd = at + sizes.central + zip.readUInt16LE(at + 28);
    const extraEnd = nameEnd + zip.readUInt16LE(at + 30);
    const next = extraEnd + zip.readUInt16LE(at + 32);
    if (next > end) refuse("layout");
    const rawName = zip.subarray(at + sizes.central, nameEnd);
    const record = {
      rawName,
      name: rawName.toString("latin1"),
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      bytes: zip.readUInt32LE(at + 24),
      offset: zip.readUInt32LE(at + 42),
    };
    if (zip.readUInt16LE(at + 34) !== 0) refuse("split");
    checkKind(record.name, zip.readUInt32LE(at + 38));
    checkExtra(zip.subarray(nameEnd, extraEnd), record.name);
    checkMethod(record);
    records.push(record);
    at = next;
  }
  if (at !== end) refuse("layout");
  return records;
};

/** Only regular files and folders: the upper half contains Unix's mode, the lower DOS's attributes. */
const checkKind = (name: string, attributes: number): void => {
  const type = attributes >>> 28;
  const isFolder = name.endsWith("/");
  const isKnown = type === 0 || type === 0o10 || type === 0o04;
  // Volume labels and devices.
  if (!isKnown || (attributes & 0x48) !== 0) refuse("special_file", name);
  if (type !== 0 && isFolder !== (type === 0o04)) refuse("special_file", name);
  if ((attributes & 0x10) !== 0 && !isFolder) refuse("special_file", name);
};

// Sizes of zip64, and names and comments in Unicode: each would repeat what is elsewhere.
const refusedExtras: ReadonlyMap<number, PackageErrorCode> = new Map([
  [0x0001, "zip64"],
  [0x7075, "extra_field"],
  [0x6375, "extra_field"],
  [0x0017, "encrypted"],
  [0x9901, "encrypted"],
]);

const checkExtra = (extra: Buffer, name: string): void => {
  let at = 0;
  while (at < extra.length) {
    if (at + 4 > extra.length) refuse("extra_field", name);
    const code = refusedExtras.get(extra.readUInt16LE(at));
    if (code !== undefined) refuse(code, name);
    at += 4 + extra.readUInt16LE(at + 2);
  }
  if (at !== extra.length) refuse("extra_field", name);
};

const checkMethod = ({ name, flags, method, packedBytes, bytes }: CentralRecord): void => {
  if ((flags & 0x2041) !== 0) refuse("encrypted", name);
  // Deflate's level, a descriptor after the file, and names in UTF-8.
  if ((flags & ~(0x0006 | 0x0008 | 0x0800)) !== 0) refuse("unsupported", name);
  if (method !== 0 && method !== 8) refuse("unsupported", name);
  if (packedBytes === 0xffffffff || bytes === 0xffffffff) refuse("zip64", name);
  if (method === 0 && packedBytes !== bytes) refuse("header_mismatch", name);
};

/** Compares the header before a file with the table; returns the position of the file's bytes. */
const checkLocal = (zip: Buffer, { record, end }: { record: CentralRecord; end: number }): number => {
  const { offset, name } = record;
  if (offset + sizes.local > end || zip.readUInt32LE(offset) !== signatures.local) refuse("layout", name);
  const nameEnd = offset + sizes.local + zip.readUInt16LE(offset + 26);
  const at = nameEnd + zip.readUInt16LE(offset + 28);
  if (at + record.packedBytes > end) refuse("layout", name);
  const hasDescriptor = (record.flags & 8) !== 0;
  const agrees = (place: number, value: number) => {
    const told = zip.readUInt32LE(place);
    return told === value || (hasDescriptor && told === 0);
  };
  const isSame =
    zip.subarray(offset + sizes.local, nameEnd).equals(record.rawName) &&
    zip.readUInt16LE(offset + 6) === record.flags &&
    zip.readUInt16LE(offset + 8) === record.method &&
    agrees(offset + 14, record.crc) &&
    agrees(offset + 18, record.packedBytes) &&
    agrees(offset + 22, record.bytes);
  if (!isSame) refuse("header_mismatch", name);
  checkExtra(zip.subarray(nameEnd, at), name);
  return at;
};

/** Where a file ends, including its descriptor, if any: with or without its own signature. */
const checkDescriptor = (
  zip: Buffer,
  { record, at, end }: { record: CentralRecord; at: number; end: number },
): number => {
  if ((record.flags & 8) === 0) return at;
  const holds = (start: number) =>
    start + 12 <= end &&
    zip.readUInt32LE(start) === record.crc &&
    zip.readUInt32LE(start + 4) === record.packedBytes &&
    zip.readUInt32LE(start + 8) === record.bytes;
  if (at + 4 <= end && zip.readUInt32LE(at) === signatures.descriptor && holds(at + 4)) return at + 16;
  return holds(at) ? at + 12 : refuse("header_mismatch", record.name);
};

const toEntry = ({ name, method, crc, packedBytes, bytes }: CentralRecord, at: number): ZipEntry => {
  const isFolder = name.endsWith("/");
  // An empty stream of deflate takes two bytes.
  if (isFolder && (bytes > 0 || packedBytes > 2)) refuse("special_file", name);
  const path = isFolder ? name.slice(0, -1) : name;
  return { path, isFolder, isDeflated: method === 8, crc, packedBytes, bytes, at };
};

/** The entries without litter, once their names and sizes are known to be harmless. */
const kept = (all: readonly ZipEntry[]): ZipEntry[] => {
  const entries = all.filter(({ path }) => !isLitter(path));
  for (const { path } of entries) if (!isPlainPath(path)) refuse("bad_path", path);
  refuseClashes(entries);
  let total = 0;
  for (const { path, bytes, packedBytes } of entries) {
    if (bytes > pluginLimits.fileBytes) refuse("file_too_large", path);
    total += bytes;
    if (total > pluginLimits.unpackedBytes) refuse("total_too_large");
    if (bytes > looseBytes && bytes > pluginLimits.ratio * packedBytes) refuse("ratio", path);
  }
  if (entries.every(({ isFolder }) => isFolder)) refuse("empty");
  return entries;
};

/** Files up to this size can have any compression ratio: they are no bombs. */
export const looseBytes = 1_000_000;

const segment = /^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*$/;
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Whether a path in a package is plain: not leading up or out on any system, nothing hidden, nothing that a terminal
 * interprets.
 */
export const isPlainPath = (path: string): boolean => {
  const segments = path.split("/");
  return (
    path.length <= pluginLimits.pathLength &&
    segments.length <= pluginLimits.depth &&
    segments.every(
      (part) => segment.test(part) && part !== "__proto__" && !device.test(part) && !part.endsWith("."),
    )
  );
};

/** Whether a path is one that macOS adds to zip files automatically. It is never written anywhere. */
const isLitter = (path: string): boolean => {
  const segments = path.split("/");
  const isHarmless = segments.every(
    (part) => part !== "" && part !== "." && part !== ".." && plain.test(part),
  );
  return isHarmless && (segments[0] === "__MACOSX" || segments.at(-1) === ".DS_Store");
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const plain = /^[^\\:\x00-\x1f\x7f]{1,255}$/;

/**
 * Refuses paths that would collide on some file system: equal ones, ones that only differ in case, and files that are
 * also folders.
 */
export const refuseClashes = (entries: readonly { path: string; isFolder: boolean }[]): void => {
  const named = new Map<string, boolean>();
  for (const { path, isFolder } of entries) {
    const key = path.toLowerCase();
    if (named.has(key)) throw new PackageError("duplicate", { about: path });
    named.set(key, isFolder);
  }
  const spelled = new Map<string, string>();
  for (const { path, isFolder } of entries) {
    for (const folder of foldersOf(isFolder ? `${path}/` : path)) {
      const key = folder.toLowerCase();
      if (named.get(key) === false) throw new PackageError("conflict", { about: folder });
      if ((spelled.get(key) ?? folder) !== folder) throw new PackageError("duplicate", { about: folder });
      spelled.set(key, folder);
    }
  }
};

/** All folders of a path: `a` and `a/b` for `a/b/c`. */
const foldersOf = (path: string): string[] => {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
};

/** Files without the single folder around all of them; unchanged if there is none. */
const withoutTopFolder = <File>(files: ReadonlyMap<string, File>): Map<string, File> => {
  const [first = ""] = files.keys();
  const top = first.slice(0, first.indexOf("/") + 1);
  if (top === "" || ![...files.keys()].every((path) => path.startsWith(top))) return new Map(files);
  return new Map([...files].map(([path, file]) => [path.slice(top.length), file]));
};

/** Why a package, or a key for packages, can't be used: a stable code for each reason. */
export type PackageErrorCode = keyof typeof packageTexts;

/**
 * An unusable package or key. `message` is readable: the code's sentence, with what it is about. `problems` list what
 * to fix in a manifest.
 */
export class PackageError extends Error {
  readonly code: PackageErrorCode;
  readonly problems: FieldError[];

  constructor(
    code: PackageErrorCode,
    { about, problems = [], cause }: { about?: string; problems?: FieldError[]; cause?: unknown } = {},
  ) {
    const shown = about === undefined ? "" : ` (${shorten(about)})`;
    super(`${packageTexts[code]}${shown}`, { cause });
    this.name = "PackageError";
    this.code = code;
    this.problems = problems;
  }
}

// Names in a hostile package can contain anything, at any length.
const shorten = (about: string): string => {
  const shown = about.replace(/[^\x20-\x7e]/g, "?");
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
};
