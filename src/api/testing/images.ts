import { crc32, deflateSync } from "node:zlib";

/** A PNG image of one color, or with these pixels as they are compressed. */
export const makePng = (
  width: number,
  height: number,
  pixels: Uint8Array = deflateSync(new Uint8Array((width * 4 + 1) * height)),
): Uint8Array => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const parts = [signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", new Uint8Array())];
  // A buffer's parts are views of it.
  return new Uint8Array(Buffer.concat(parts));
};

const chunk = (name: string, body: Uint8Array): Uint8Array => {
  const named = Buffer.concat([Buffer.from(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.byteLength);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** An SVG image with these attributes and this content. */
export const makeSvg = (attributes: string, content = '<path d="M0 0h9v4z"/>'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
