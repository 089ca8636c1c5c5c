/** A Windows icon that holds one square PNG picture of `size` pixels, at most 255. */
export const iconFile = (png: Uint8Array, size: number): Uint8Array => {
  const header = new DataView(new ArrayBuffer(22));
  header.setUint16(2, 1, true);
  header.setUint16(4, 1, true);
  header.setUint8(6, size);
  header.setUint8(7, size);
  header.setUint16(10, 1, true);
  header.setUint16(12, 32, true);
  header.setUint32(14, png.byteLength, true);
  header.setUint32(18, header.byteLength, true);
  return Buffer.concat([new Uint8Array(header.buffer), png]);
};
