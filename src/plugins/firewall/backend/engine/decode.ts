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

/** Names of the characters that attacks are made of; what else has a name is left as it is. */
const named = new Map(
  Object.entries({
    lt: "<",
    gt: ">",
    amp: "&",
    quot: '"',
    apos: "'",
    nbsp: " ",
    tab: "\t",
    newline: "\n",
    colon: ":",
    semi: ";",
    lpar: "(",
    rpar: ")",
    lsqb: "[",
    lbrack: "[",
    rsqb: "]",
    rbrack: "]",
    lcub: "{",
    lbrace: "{",
    rcub: "}",
    rbrace: "}",
    sol: "/",
    bsol: "\\",
    grave: "`",
    equals: "=",
    comma: ",",
    period: ".",
    plus: "+",
    num: "#",
    dollar: "$",
    percnt: "%",
    excl: "!",
    quest: "?",
    ast: "*",
    lowbar: "_",
    commat: "@",
    vert: "|",
    verbar: "|",
    hat: "^",
    tilde: "~",
    hyphen: "-",
    dash: "-",
  }),
);

/** The text with HTML's character references decoded once: `&lt;`, `&#60;`, `&#x3c`, with or without a semicolon. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#x([0-9a-f]{1,10})|#(\d{1,10})|([a-z]{2,8}));?/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return namedCharacter(whole, String(name));
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;

/** Only the oldest names do without a semicolon: `&lt=` is one, `&colon=` is a parameter. */
const namedCharacter = (whole: string, name: string): string => {
  const character = named.get(name.toLowerCase());
  if (character === undefined) return whole;
  return whole.endsWith(";") || /^(?:lt|gt|quot|amp)$/i.test(name) ? character : whole;
};

/** The text with the escapes of JavaScript and its relatives decoded once: `\u003c`, `\u{3c}`, `\x3c`, rows of `\074`. */
export const decodeEscapes = (text: string): string =>
  text.includes("\\")
    ? text
        .replace(/\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))/gi, (whole, four, braced, two) => {
          const code = Number.parseInt(four ?? braced ?? two, 16);
          return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
        })
        .replace(/(?:\\[0-3]?[0-7]{2}){3,}/g, (row) =>
          row.replace(/\\(\d{2,3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))),
        )
    : text;

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
