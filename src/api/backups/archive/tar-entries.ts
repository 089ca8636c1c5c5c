import { archiveError, type DumpEntry } from "./format.ts";

/** How large an entry of this name may be; throws for a name that may not be there at all. */
type SizeRule = (name: string) => number;

const blockBytes = 512;
// Other writers pad the end to a whole record of 10 KB.
const mostPaddingBytes = 64 * 1024;

/**
 * The files of a tar as `writeArchive` makes it: nothing but plain files with short names. No more of one is in memory than
 * `mostBytes` allows, and two blocks of zeros end it, behind which nothing may come. Throws an `ArchiveError`.
 */
export async function* tarEntries(
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
