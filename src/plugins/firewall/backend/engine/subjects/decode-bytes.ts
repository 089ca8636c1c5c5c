import { readLeniently } from "../views/decode-percent.ts";

/** A body's text: by its byte order mark, by its `charset`, and where neither says so as UTF-8, read leniently. */
export const decodeBytes = (bytes: Uint8Array, type: string): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return readUtf16(bytes.subarray(2), true);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return readUtf16(bytes.subarray(2), false);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return readUtf8(bytes.subarray(3));
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1]?.toLowerCase() ?? "";
  if (/^utf-?16(?:le)?$|^ucs-?2$/.test(charset)) return readUtf16(bytes, !seemsBigEndian(bytes));
  if (/^utf-?16be$/.test(charset)) return readUtf16(bytes, false);
  if (isWide(bytes)) return readUtf16(bytes, !seemsBigEndian(bytes));
  const text = readUtf8(bytes);
  return text.includes("+") && (charset === "utf-7" || /\+ad[wi0p4g]/i.test(text))
    ? `${text} ${decodeUtf7(text)}`
    : text;
};

const readUtf8 = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes);
  return text.includes("\ufffd") ? readLeniently(bytes) : text;
};

const readUtf16 = (bytes: Uint8Array, isLittle: boolean): string =>
  new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes);

const seemsBigEndian = (bytes: Uint8Array): boolean => bytes[0] === 0 && bytes[1] !== 0;

/** Every other byte of the beginning is zero: ASCII in UTF-16. */
const isWide = (bytes: Uint8Array): boolean => {
  if (bytes.length < 8 || bytes.length % 2 === 1) return false;
  let zeros = 0;
  for (let at = seemsBigEndian(bytes) ? 0 : 1; at < Math.min(bytes.length, 64); at += 2)
    if (bytes[at] === 0) zeros += 1;
  return zeros * 4 > Math.min(bytes.length, 64);
};

/** UTF-7 (RFC 2152): `+ADw-` is `<`. */
const decodeUtf7 = (text: string): string =>
  text.replace(/\+([a-z\d/+]{2,64})-?/gi, (_, letters: string) =>
    new TextDecoder("utf-16be").decode(Buffer.from(letters, "base64")),
  );
