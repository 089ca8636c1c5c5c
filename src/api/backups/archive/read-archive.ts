import { Readable } from "node:stream";
import { constants, createZstdDecompress } from "node:zlib";
import { ArchiveError, archiveError } from "./archive-error.ts";
import { type EntryPlace, entryPlace, mostBytesAt, mostSumBytes } from "./entry-places.ts";
import { createInventory, type Inventory } from "./inventory.ts";
import { type Checksums, entryNames, type Manifest, readChecksums, readManifest } from "./manifest.ts";
import { type ReadEntry, tarEntries } from "./tar-entries.ts";

/** An archive that is being read, once, from front to back. */
export type OpenArchive = {
  manifest: Manifest;
  /** What lies between manifest and checksums. Throws an `ArchiveError` at the end when it is not what was written. */
  entries: AsyncIterable<ReadEntry>;
  /** How many rows of its tables have been read. */
  rows(): number;
  /** What the last entry says; only once `entries` has ended. */
  checksums(): Checksums;
  /** Ends the reading, however far it has come; whoever opens an archive calls it. Never throws. */
  close(): Promise<void>;
};

/**
 * Begins to read an archive. Throws an `ArchiveError` when it does not begin as one. `mayHoldKey`: it was encrypted. Of
 * any other nobody can say whose key lies in it, and it counts as one without.
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

  async function* entries(): AsyncGenerator<ReadEntry> {
    for await (const entry of read) {
      // Behind the last entry nothing may come.
      if (checksums !== null) throw archiveError("altered");
      const place = placeOf(entry);
      if (place.kind === "checksums") {
        checksums = readChecksums(entry.bytes, inventory.count());
        continue;
      }
      inventory.add(entry, place);
      if (entry.name !== entryNames.key || mayHoldKey) yield entry;
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
        // Nobody asks any more what is wrong with bytes that nobody wants.
        () => {},
      ),
  };
};

const placeOf = ({ name }: ReadEntry): EntryPlace => {
  const place = entryPlace(name);
  if (place === null || place.kind === "manifest") throw archiveError("altered");
  return place;
};

/** Ends the reading when `work` throws. */
const orEnd = async <T>(read: AsyncGenerator<ReadEntry, void>, work: () => T): Promise<T> => {
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
): AsyncGenerator<ReadEntry, void, undefined> {
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
