/**
 * The text with its percent signs decoded once, the way lenient servers do: bytes are read as UTF-8, overlong forms
 * included, what is not UTF-8 as Latin-1, `%u0041` as a code unit. What is no escape stays.
 */
export const decodePercent = (text: string): string => {
  const first = text.indexOf("%");
  if (first === -1) return text;
  const pieces: string[] = [text.slice(0, first)];
  let at = first;
  while (at < text.length) {
    const unit = unitAt(text, at);
    const bytes: number[] = [];
    for (let byte = byteAt(text, at); byte !== -1; byte = byteAt(text, at)) {
      bytes.push(byte);
      at += 3;
    }
    if (unit !== -1) {
      pieces.push(String.fromCharCode(unit));
      at += 6;
    } else if (bytes.length > 0) pieces.push(readLeniently(bytes));
    else {
      pieces.push("%");
      at += 1;
    }
    const next = text.indexOf("%", at);
    const end = next === -1 ? text.length : next;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces.join("");
};

/** The value of a hexadecimal digit's code, or -1. */
const hexValue = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** The value of the hexadecimal digits from `from` to `to`, or -1 where one is none. */
const hexNumber = (text: string, from: number, to: number): number => {
  if (to > text.length) return -1;
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = hexValue(text.charCodeAt(at));
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
};

const byteAt = (text: string, at: number): number =>
  text.charCodeAt(at) === 37 ? hexNumber(text, at + 1, at + 3) : -1;

const unitAt = (text: string, at: number): number =>
  text.charCodeAt(at) === 37 && (text.charCodeAt(at + 1) | 32) === 117 ? hexNumber(text, at + 2, at + 6) : -1;

/** Bytes as text: UTF-8 with overlong forms allowed, Latin-1 where it is not UTF-8. */
export const readLeniently = (bytes: ArrayLike<number>): string => {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = sequenceLength(lead);
    let code = length === 1 ? lead : lead & (0x7f >> length);
    let taken = 1;
    while (taken < length && ((bytes[at + taken] ?? 0) & 0xc0) === 0x80) {
      code = (code << 6) | ((bytes[at + taken] ?? 0) & 0x3f);
      taken += 1;
    }
    const isWhole = taken === length && code <= 0x10ffff;
    pieces.push(String.fromCodePoint(isWhole ? code : lead));
    at += isWhole ? length : 1;
  }
  return pieces.join("");
};

const sequenceLength = (lead: number): number => {
  if (lead >= 0xc0 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf8 ? 4 : 1;
};
