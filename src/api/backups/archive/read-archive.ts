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
import { tarEntries } from "./tar-entries.ts";

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
