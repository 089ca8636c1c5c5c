/** The header that every gzip answer begins with: no name, no time. Source: RFC 1952 §2.3. */
export const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);

/** The longest text that fits into one stored block. */
export const storedLimitBytes = 65_535;

/** The bytes as a block that is not compressed; at most {@link storedLimitBytes}. Source: RFC 1951 §3.2.4. */
export const storedBlock = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
  const header = new DataView(new ArrayBuffer(5));
  header.setUint8(0, isLast ? 1 : 0);
  header.setUint16(1, bytes.byteLength, true);
  header.setUint16(3, ~bytes.byteLength & 0xffff, true);
  return joined([bytesOf(header), bytes]);
};

/** What ends a gzip answer of `lengthBytes` (uncompressed) with this CRC-32. */
export const gzipTrailer = (crc: number, lengthBytes: number): Uint8Array => {
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc, true);
  trailer.setUint32(4, lengthBytes, true);
  return bytesOf(trailer);
};

/** The parts one after another. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
};

const bytesOf = ({ buffer }: DataView): Uint8Array => new Uint8Array(buffer);
