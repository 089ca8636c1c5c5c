import { Readable } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { AppError } from "#api/core/app-error.ts";
import { digestOf } from "#api/core/ids.ts";
import {
  type Checksums,
  checkWritten,
  type Dump,
  type DumpEntry,
  entryNames,
  type Manifest,
  mostWrittenSumBytes,
} from "./format.ts";

// Twice as quick as the default of 3 on rows of JSON, for a tenth more bytes.
const level = 1;

/**
 * The bytes of an archive: a tar, compressed by zstd. First the manifest, last the checksums, without which it is not
 * whole. It ends with whatever `entries` throws, with an entry that no reader would take, and with `CONFLICT` where no reader
 * would take them all. Nothing is asked for before
 * the first bytes are, and `return` closes `entries`, however far they came. `onEntry` is told of each entry once it is on
 * its way.
 */
export const writeArchive = async function* (
  { manifest, entries }: Dump,
  onEntry: (entry: DumpEntry) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const tar = pack();
  // The checksum covers what the entries' own do not: what lies between and behind them.
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 };
  const zstd = createZstdCompress({ params });
  // `pipeline` would hold the error back until the consumer has read everything that came before.
  const source = Readable.from(tar);
  source.on("error", (error) => zstd.destroy(error));
  zstd.on("close", () => tar.destroy());
  // Whoever reads it hears of it; no one else has to.
  zstd.on("error", () => {});
  source.pipe(zstd);
  let packedBytes = 0;
  const filled = fill(
    tar,
    { manifest, entries },
    { onEntry, mostBytes: () => mostWrittenSumBytes(packedBytes) },
  );
  try {
    for await (const chunk of zstd) {
      packedBytes += chunk.byteLength;
      yield chunk;
    }
  } finally {
    zstd.destroy();
    await filled;
  }
};

/** Puts everything into the tar, which it destroys with the error of what goes wrong. */
const fill = async (
  tar: Pack,
  { manifest, entries }: Dump,
  { onEntry, mostBytes }: { onEntry: (entry: DumpEntry) => void; mostBytes: () => number },
): Promise<void> => {
  const checksums: Checksums = {
    entries: {},
    rows: Object.fromEntries(manifest.tables.map((table) => [table, 0])),
  };
  const mtime = new Date(manifest.createdAt);
  let count = 0;
  let sumBytes = 0;
  const add = ({ name, bytes }: DumpEntry): Promise<void> =>
    new Promise((resolve, reject) => {
      tar.entry({ name, size: bytes.byteLength, mode: 0o600, mtime }, Buffer.from(bytes), (error) =>
        error ? reject(error) : resolve(),
      );
    });
  try {
    for await (const entry of withManifest(manifest, entries)) {
      const { name, bytes, rows = 0 } = entry;
      count += 1;
      const place = checkWritten(name, bytes.byteLength, count);
      sumBytes += bytes.byteLength + mostTarBytes;
      if (sumBytes > mostBytes()) throw new AppError("CONFLICT", tooMuchText);
      checksums.entries[name] = { sha256: digestOf(bytes), sizeBytes: bytes.byteLength };
      if (place.kind === "part") checksums.rows[place.table] = (checksums.rows[place.table] ?? 0) + rows;
      await add(entry);
      onEntry(entry);
    }
    await add({ name: entryNames.checksums, bytes: jsonBytes(checksums) });
    tar.finalize();
  } catch (error) {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
  }
};

// A header, and what fills up the last block.
const mostTarBytes = 1024;
const tooMuchText =
  "The installation can't be backed up: it contains far too much repeated data, as in an attack on the reader of a backup, so that no restore would accept it. Find out what fills the database";

async function* withManifest(
  manifest: Manifest,
  entries: AsyncIterable<DumpEntry>,
): AsyncGenerator<DumpEntry> {
  yield { name: entryNames.manifest, bytes: jsonBytes(manifest) };
  yield* entries;
}

const jsonBytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
