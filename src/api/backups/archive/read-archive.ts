import { Readable } from "node:stream";
import { constants, createZstdDecompress } from "node:zlib";
import { digestOf } from "#api/core/ids.ts";
import { type Keys, unlocked } from "./age.ts";
import {
  ArchiveError,
  archiveError,
  type Checksums,
  caps,
  type Dump,
  type DumpEntry,
  type EntryPlace,
  elsewhereIn,
  entryNames,
  entryPlace,
  isTableOf,
  type Manifest,
  mostBytesAt,
  mostSumBytes,
  readChecksums,
  readManifest,
  rowsIn,
} from "./format.ts";

/** Begins to read a backup, encrypted or not. Throws an `ArchiveError`. A key is taken only from an encrypted one. */
export const openArchive = async (bytes: AsyncIterable<Uint8Array>, keys: Keys): Promise<OpenArchive> => {
  const { bytes: plain, isEncrypted } = await unlocked(bytes, keys);
  return readArchive(plain, { mayHoldKey: isEncrypted });
};

/**
 * An archive that is being read, once, from front to back. `entries` are what lies between manifest and checksums; they throw
 * an `ArchiveError` at the end when that is not what was written.
 */
export type OpenArchive = Dump & {
  /** How many rows of its tables have been read. */
  rows(): number;
  /** What the last entry says; only once `entries` has ended. */
  checksums(): Checksums;
  /** Ends the reading, however far it has come; whoever opens an archive calls it. Never throws. */
  close(): Promise<void>;
};

/**
 * Begins to read an archive. Throws an `ArchiveError` when it does not begin as one. `mayHoldKey`: it was encrypted. Of
 * any other no one can say whose key lies in it, and it counts as one without.
 */
export const readArchive = async (
  bytes: AsyncIterable<Uint8Array>,
  { mayHoldKey = false }: { mayHoldKey?: boolean } = {},
): Promise<OpenArchive> => {
  let about: { manifest: Manifest; inventory: Inventory } | null = null;
  const mostBytes = (name: string): number => {
    const place = entryPlace(name);
    if (about === null && place?.kind !== "manifest") throw archiveError("not_a_backup");
    if (place === null) throw archiveError("altered");
    return mostBytesAt(place, {
      entries: about?.inventory.count() ?? 0,
      tables: about?.manifest.tables.length ?? 0,
    });
  };
  const read = entriesOf(bytes, mostBytes);
  const first = await read.next();
  if (first.done === true) throw archiveError("truncated");
  const manifest = await orEnd(read, () => readManifest(first.value.bytes));
  const inventory = createInventory(manifest);
  about = { manifest, inventory };
  inventory.add(first.value, { kind: "manifest" });
  let checksums: Checksums | null = null;

  async function* entries(): AsyncGenerator<DumpEntry> {
    for await (const entry of read) {
      // Behind the last entry nothing may come.
      if (checksums !== null) throw archiveError("altered");
      const place = placeOf(entry);
      if (place.kind === "checksums") {
        checksums = readChecksums(entry.bytes, inventory.count());
        continue;
      }
      const rows = inventory.add(entry, place);
      if (entry.name !== entryNames.key || mayHoldKey) yield { ...entry, rows };
    }
    if (checksums === null) throw archiveError("truncated");
    inventory.compare(checksums);
  }

  return {
    manifest: { ...manifest, hasKey: manifest.hasKey && mayHoldKey },
    entries: entries(),
    rows: inventory.rows,
    checksums: () => {
      if (checksums === null) throw archiveError("truncated");
      return checksums;
    },
    close: () =>
      read.return(undefined).then(
        () => {},
        // No one asks any more what is wrong with bytes that no one wants.
        () => {},
      ),
  };
};

const placeOf = ({ name }: DumpEntry): EntryPlace => {
  const place = entryPlace(name);
  if (place === null || place.kind === "manifest") throw archiveError("altered");
  return place;
};

/** Ends the reading when `work` throws. */
const orEnd = async <T>(read: AsyncGenerator<DumpEntry, void>, work: () => T): Promise<T> => {
  try {
    return work();
  } catch (error) {
    await read.return();
    throw error;
  }
};

// Eight megabytes, which the strongest of the usual levels needs; what an archive asks for beyond that is no help to it.
const params = { [constants.ZSTD_d_windowLogMax]: 23 };

/** What lies in a compressed tar, piece by piece. Faults of the bytes become `ArchiveError`s; those of reading stay. */
async function* entriesOf(
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: (name: string) => number,
): AsyncGenerator<DumpEntry, void, undefined> {
  const zstd = createZstdDecompress({ params });
  let packedBytes = 0;
  const packed = guarded(bytes, (count) => (packedBytes += count));
  const source = Readable.from(packed);
  let failure: unknown = null;
  source.on("error", (error) => {
    failure = error;
    zstd.destroy(error);
  });
  try {
    yield* tarEntries(
      bounded(source.pipe(zstd), () => mostSumBytes(packedBytes)),
      mostBytes,
    );
    // What lies behind the end is part of no archive.
    const behind = await packed.next();
    if (behind.done !== true || packedBytes !== zstd.bytesWritten) throw archiveError("altered");
  } catch (error) {
    throw toArchiveError(failure ?? error);
  } finally {
    source.destroy();
    zstd.destroy();
  }
}

/** A failure of whoever gives the bytes, kept apart from what is wrong with them. */
class SourceError extends Error {}

/** The bytes, of which there may be no more than `most` at any time: else an archive of a few kilobytes keeps a reader for hours. */
async function* bounded(bytes: AsyncIterable<Uint8Array>, most: () => number): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const chunk of bytes) {
    sum += chunk.byteLength;
    if (sum > most()) throw archiveError("altered");
    yield chunk;
  }
}

async function* guarded(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of bytes) {
      onBytes(chunk.byteLength);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new SourceError("the backup could not be read", { cause: error });
  }
}

const toArchiveError = (error: unknown): unknown => {
  if (error instanceof ArchiveError) return error;
  if (error instanceof SourceError) return error.cause;
  const text = `${String(Reflect.get(Object(error), "code") ?? "")} ${String(error)}`;
  const isCut = /unexpected end|Z_BUF_ERROR|srcSize_wrong|premature|end of (?:data|file)/i.test(text);
  return archiveError(isCut ? "truncated" : "altered", error);
};

/** Keeps account of what comes out of an archive. */
type Inventory = {
  /** How many entries there were. */
  count: () => number;
  /** How many rows of the manifest's tables. */
  rows: () => number;
  /** Counts an entry, and the rows in it. Throws an `ArchiveError` for one that no archive has in this place. */
  add(entry: DumpEntry, place: EntryPlace): number;
  /** Throws an `ArchiveError` unless the archive holds what it says, no less and no more. */
  compare(checksums: Checksums): void;
};

/** An inventory of an archive of which nothing but the manifest has come yet. */
export const createInventory = (manifest: Manifest): Inventory => {
  const seen = new Map<string, string>();
  const rows = new Map<string, number>(manifest.tables.map((table) => [table, 0]));
  const parts = new Map<string, number>();
  const digests = new Map<string, string>();

  const addPart = (bytes: Uint8Array, { table, part }: EntryPlace & { kind: "part" }): number => {
    if (!isTableOf(manifest, table) || part !== (parts.get(table) ?? 0)) throw archiveError("altered");
    parts.set(table, part + 1);
    const count = rowsIn(bytes);
    rows.set(table, (rows.get(table) ?? 0) + count);
    if (table !== "stored_objects") return count;
    for (const { version, digest } of elsewhereIn(bytes)) digests.set(version, digest);
    if (digests.size > caps.entries) throw archiveError("altered");
    return count;
  };

  return {
    count: () => seen.size,
    rows: () => manifest.tables.reduce((sum, table) => sum + (rows.get(table) ?? 0), 0),
    add: ({ name, bytes }, place) => {
      if (seen.has(name) || seen.size >= caps.entries) throw archiveError("altered");
      const digest = digestOf(bytes);
      const count = place.kind !== "part" ? 0 : addPart(bytes, place);
      // What the catalogue does not name, no one would ever find.
      if (place.kind === "object" && digests.get(place.version) !== digest) throw archiveError("altered");
      seen.set(name, sealOf(digest, bytes.byteLength));
      return count;
    },
    compare: (said) => {
      const entries = Object.entries(said.entries);
      const isSame =
        entries.length === seen.size &&
        entries.every(([name, entry]) => seen.get(name) === sealOf(entry?.sha256, entry?.sizeBytes));
      const names = new Set([...rows.keys(), ...Object.keys(said.rows)]);
      const counts = new Map<string, unknown>(Object.entries(said.rows));
      if (!isSame || [...names].some((table) => (counts.get(table) ?? 0) !== (rows.get(table) ?? 0)))
        throw archiveError("altered");
    },
  };
};

const sealOf = (sha256: unknown, sizeBytes: unknown): string => `${String(sizeBytes)} ${String(sha256)}`;

/** How large an entry of this name may be; throws for a name that may not be there at all. */
type SizeRule = (name: string) => number;

const blockBytes = 512;
// Other writers pad the end to a whole record of 10 KB.
const mostPaddingBytes = 64 * 1024;

/**
 * The files of a tar as `writeArchive` makes it: nothing but plain files with short names. No more of one is in memory than
 * `mostBytes` allows, and two blocks of zeros end it, behind which nothing may come. Throws an `ArchiveError`.
 */
async function* tarEntries(
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: SizeRule,
): AsyncGenerator<DumpEntry, void, undefined> {
  const source = bytes[Symbol.asyncIterator]();
  const read = exactly(source);
  try {
    for (;;) {
      const header = await read(blockBytes);
      if (isZero(header)) {
        if (!isZero(await read(blockBytes))) throw archiveError("altered");
        return await refuseMore(source, read);
      }
      const { name, sizeBytes } = readHeader(header);
      if (sizeBytes > mostBytes(name)) throw archiveError("altered");
      const content = await read(sizeBytes);
      if (!isZero(await read((blockBytes - (sizeBytes % blockBytes)) % blockBytes)))
        throw archiveError("altered");
      yield { name, bytes: content };
    }
  } finally {
    await source.return?.();
  }
}

/** `left` is what came and no one has read yet. */
type Exactly = ((count: number) => Promise<Uint8Array>) & { left: () => Uint8Array };

/** Reads as many bytes as it is asked for. */
const exactly = (source: AsyncIterator<Uint8Array>): Exactly => {
  let rest: Uint8Array = new Uint8Array();
  const read = async (count: number): Promise<Uint8Array> => {
    const wanted = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      if (rest.byteLength === 0) {
        const next = await source.next();
        if (next.done === true) throw archiveError("truncated");
        rest = next.value;
      }
      const piece = rest.subarray(0, count - at);
      wanted.set(piece, at);
      at += piece.byteLength;
      rest = rest.subarray(piece.byteLength);
    }
    return wanted;
  };
  return Object.assign(read, { left: () => rest });
};

/** Reads to the end, so that whoever hands out the bytes proves them whole. */
const refuseMore = async (source: AsyncIterator<Uint8Array>, { left }: Exactly): Promise<void> => {
  let padding = 0;
  for (let chunk = left(); ; ) {
    padding += chunk.byteLength;
    if (padding > mostPaddingBytes || !isZero(chunk)) throw archiveError("altered");
    const next = await source.next();
    if (next.done === true) return;
    chunk = next.value;
  }
};

const isZero = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.byteLength; at += 1) if (bytes[at] !== 0) return false;
  return true;
};

/** Places within a header: POSIX.1-2017, pax, "ustar Interchange Format". */
const readHeader = (header: Uint8Array): { name: string; sizeBytes: number } => {
  const text = (from: number, to: number) => Buffer.from(header.subarray(from, to)).toString("latin1");
  const field = (from: number, to: number) => text(from, to).split("\0", 1)[0] ?? "";
  const number = (from: number, to: number) => {
    const digits = field(from, to).trim();
    if (!/^[0-7]+$/.test(digits)) throw archiveError("altered");
    return Number.parseInt(digits, 8);
  };
  let sum = 0;
  for (let at = 0; at < blockBytes; at += 1) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0);
  const isPlain =
    ["0", "\0"].includes(text(156, 157)) && text(257, 262) === "ustar" && field(345, 500) === "";
  if (!isPlain || number(148, 156) !== sum) throw archiveError("altered");
  return { name: field(0, 100), sizeBytes: number(124, 136) };
};
