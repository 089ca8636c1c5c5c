import { promisify } from "node:util";
import { inflateRaw, inflateRawSync } from "node:zlib";
import { crcInSlices, takingTurns } from "./in-slices.ts";
import { PackageError } from "./package-error.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";
import { withoutTopFolder } from "./zip-rules.ts";

/**
 * Unpacks a zip into memory: its files by path, without what macOS adds and without the one folder that all lie in.
 * Strict: whatever two readers could understand in two ways is refused. Throws {@link PackageError}.
 */
export const readZip = async (bytes: Uint8Array): Promise<Map<string, Uint8Array>> => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = new Map<string, Uint8Array>();
  const turn = takingTurns();
  for (const entry of readZipDirectory(zip)) {
    await turn();
    const content = await unpack(zip, entry);
    if (!entry.isFolder) files.set(entry.path, content);
  }
  return withoutTopFolder(files);
};

const unpack = async (zip: Buffer, entry: ZipEntry): Promise<Uint8Array> => {
  const packed = zip.subarray(entry.at, entry.at + entry.packedBytes);
  // A copy: the files must not change with what the zip was read from.
  const content = entry.isDeflated ? await inflate(packed, entry) : new Uint8Array(packed);
  if (content.length !== entry.bytes || (await crcInSlices(content)) !== entry.crc)
    throw new PackageError("corrupt", { about: entry.path });
  return content;
};

type Inflated = { buffer: Uint8Array; engine: { bytesWritten: number } };

const inflateLater = promisify(inflateRaw);

// Smaller ones are done sooner than a thread has taken them over.
const smallBytes = 100_000;

const inflate = async (packed: Buffer, entry: ZipEntry): Promise<Uint8Array> => {
  // It stops at the size that was told, whatever else it would come to.
  const options = { maxOutputLength: Math.max(1, entry.bytes), info: true };
  try {
    const inflated = asInflated(
      entry.bytes < smallBytes ? inflateRawSync(packed, options) : await inflateLater(packed, options),
    );
    // Whatever lies behind the end of the stream would be in the file for other readers, or hidden from them.
    if (inflated.engine.bytesWritten !== packed.length) throw new Error("bytes behind the end");
    return inflated.buffer;
  } catch (cause) {
    throw new PackageError("corrupt", { about: entry.path, cause });
  }
};

/** With `info` this is what comes back, which the types of `node:zlib` do not tell. */
const asInflated = (result: unknown): Inflated => result as Inflated;
