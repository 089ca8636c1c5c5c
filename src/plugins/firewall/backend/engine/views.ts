import { decodeEntities, decodeEscapes, decodePercent } from "./decode.ts";

/** Attackers wrap a text more than once; what is wrapped more often than this no server unwraps either. */
const mostRounds = 4;

/**
 * The text decoded until nothing is left to decode, in lower case, without control characters, what looks like ASCII as
 * ASCII. A text of plain letters, digits and blanks is its own view.
 */
export const toPlainView = (text: string): string => {
  let decoded = text;
  for (let round = 0; round < mostRounds && /[%&\\]/.test(decoded); round += 1) {
    const next = decodeEscapes(decodeEntities(decodePercent(decoded)));
    if (next === decoded) break;
    decoded = next;
  }
  return foldCharacters(decoded).toLowerCase();
};

const foldCharacters = (text: string): string => (/[^ -~\n\t]/.test(text) ? text.replace(odd, fold) : text);

/** Controls, format characters that are not seen, and writings of ASCII in other blocks. */
const odd = /[[\p{Cc}\p{Cf}\p{Z}\u017f\u02b9\u02bc\u212a\ufe64-\ufe6b\uff01-\uff5e]--[ \n\t]]/gv;

const fold = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  const known = folded.get(code);
  if (known !== undefined) return known;
  return /[\p{Z}\v\f\x85]/u.test(character) ? " " : "";
};

/** Line feeds stay, so do letters and marks that databases and file systems take for ASCII ones, as what they take them for. */
const folded = new Map<number, string>([
  [0x0d, "\r"],
  [0x17f, "s"],
  [0x212a, "k"],
  [0x2b9, "'"],
  [0x2bc, "'"],
  [0x2028, "\n"],
  [0x2029, "\n"],
  [0xfe64, "<"],
  [0xfe65, ">"],
  [0xfe66, "="],
  [0xfe68, "\\"],
  [0xfe69, "$"],
  [0xfe6a, "%"],
  [0xfe6b, "@"],
]);

/** A plain text as a browser would read it: pieces of a text put together, without comments that are closed, and with CSS escapes decoded. */
export const toMarkupView = (text: string): string =>
  (text.includes("\\") ? decodeCssEscapes(text) : text)
    .replace(/\r\n?/g, "\n")
    .replace(/(?<=\w)(["'`])\s{0,4}\+\s{0,4}\1(?=\w)/g, "");

/** `\65 xpression` and `e\xpression` are both `expression`. */
const decodeCssEscapes = (text: string): string =>
  text.replace(/\\(?:([0-9a-f]{2,6})\s?|([g-z]))/g, (whole, digits, letter) => {
    if (letter !== undefined) return letter;
    const code = Number.parseInt(digits, 16);
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code).toLowerCase() : whole;
  });

/**
 * A plain text as a database would read it: comments between words are blanks, the text of MySQL's executable comments
 * (`/*!50000union…`) stands without its frame, white space is single blanks.
 */
export const toSqlView = (text: string): string => {
  const open = text.includes("/*") ? withoutComments(text) : text;
  const plain = withoutInnerTags(open);
  // Most texts have nothing but single blanks.
  return /\s\s|[^\S ]/.test(plain) ? plain.replace(/\s+/g, " ") : plain;
};

/** Filters that take tags out leave `select` of `sel<b>ect`. */
const withoutInnerTags = (text: string): string =>
  text.includes("<") ? text.replace(/(?<=[a-z])<\/?[a-z]{0,10}>(?=[a-z])/g, "") : text;

const withoutComments = (text: string): string => {
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf("/*", at);
    if (start === -1) break;
    pieces.push(text.slice(at, start));
    const end = text.indexOf("*/", start + 2);
    const inner = text.slice(start + 2, end === -1 ? text.length : end);
    const executable = /^m?!\d{0,6}/.exec(inner);
    if (executable !== null) pieces.push(" ", inner.slice(executable[0].length), " ");
    else if (end === -1) {
      // A comment that nobody closes swallows the rest of the statement: matchers must see that it is there.
      pieces.push("/*", inner);
      return pieces.join("");
    } else pieces.push(" ");
    at = end === -1 ? text.length : end + 2;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
};

/**
 * A plain text as a shell would read it: without the quotes, backslashes, carets and empty expansions (`$@`, `${x}`,
 * `$()`, two back-quotes) that stand inside of words, `$IFS` as a blank, brace lists as words, a class of characters in
 * a path (`/e[t]c`) as one character. Back-quotes, separators and variables that stand alone stay.
 */
export const toShellView = (text: string): string => {
  if (!/['"\\^$`{[<%]/.test(text)) return text;
  const spaced = withoutInnerTags(text)
    .replace(/\\\r?\n/g, "")
    .replace(/\$(?:\{ifs[^{}]{0,16}\}|ifs(?:\$\d)?(?![a-z_]))/g, " ")
    .replace(/\{[^{}\s:;="']{0,128},[^{}\s:;="']{0,128}\}/g, readBraces);
  return withoutMarks(spaced)
    .replace(emptyExpansion, "")
    .replace(/(?<=[\w/.-])\$(?:\{\w{1,32}\}|[a-z_]\w{0,31}(?=[\s/]|$))/g, "")
    .replace(/(?<=[\w/?*-])\[([^\][\s]{1,32})\](?=[\w/?*.-])|(?<=\/)\[([^\][\s]{1,32})\]/g, readClass)
    .replace(/%[a-z_]{1,24}:~\d{1,3},-?\d{1,3}%/g, "?");
};

/** Expansions of nothing: positional parameters that were not given, substitutions without a command. */
const emptyExpansion = /\$[@*](?=[\w/.$-])|(?<=[\w/])\$[@*1-9!](?!\[)|\$\([\s]{0,8}\)|``|[<>]\([\s]{0,8}\)/g;

const readBraces = (list: string): string => ` ${list.slice(1, -1).replaceAll(",", " ").trim()} `;

/** `[p]` is p, `[p//]` too; what stands for many characters is a question mark. */
const readClass = (_whole: string, inWord: string | undefined, afterSlash: string | undefined): string => {
  const content = (inWord ?? afterSlash ?? "").replace(/\/+$/, "");
  return content.length === 1 ? content : "?";
};

/** Without quotes; without backslashes and carets that stand in words, but `c:\dir` and `\\host` stay paths. */
const withoutMarks = (text: string): string => {
  const pieces: string[] = [];
  let start = 0;
  let isDrive = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32) isDrive = false;
    if (code === 92 && text.charCodeAt(at - 1) === 58) isDrive = true;
    const isMark = code === 34 || code === 39 || (!isDrive && (code === 92 || code === 94));
    if (!isMark || (code > 90 && !isInWord(text, at))) continue;
    pieces.push(text.slice(start, at));
    start = at + 1;
  }
  if (start === 0) return text;
  pieces.push(text.slice(start));
  return pieces.join("");
};

const isInWord = (text: string, at: number): boolean => isWordCode(text.charCodeAt(at + 1));

/** Letters, digits, `-`, `.`, `/`, quotes. */
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 45 && code <= 57) || code === 34 || code === 39;

/**
 * A plain text as a file system would read it: one kind of slash, none doubled, no `/./`, and the writings of dots and
 * slashes that decoders of addresses leave (`0x2e`, `%c0%ae`, `..;/`, `....//`) read as what they stand for.
 */
export const toPathView = (text: string): string =>
  marks.test(text)
    ? text
        .replace(writings, (_whole, hex, dot) => (hex === "2e" || dot !== undefined ? "." : "/"))
        .replace(/[\\\u2215\u2216\u2044\u29f5]/g, "/")
        .replace(/[\u00c0\u00c1\u00e0\u00e1](?=[./\u00ae\u00af])/g, "")
        .replace(/\u2024/g, ".")
        .replace(/\u2025/g, "..")
        .replace(/\.[ \t"'^]{1,4}(?=[./])/g, ".")
        .replace(/\.\.;[^/]{0,32}\//g, "../")
        .replace(/\/(?:\.?\/)+/g, "/")
        .replace(/\.{4,8}\//g, "../")
    : text;

/** Texts without one of these are paths as they are. */
const marks = /[\\/\u2215\u2216\u2044\u29f5\u2024\u2025]|0x[25]|%|\.\.2f/;

/** What is left of a dot or slash after other decoders, by hexadecimal digits or as an overlong form. */
const writings =
  /(?:0x|%(?:25)?|%u00|(?<=\.\.)(?=2f(?:\.\.|etc)))(2e|2f|5c)|(%c0%ae|%c0%2e|%uff0e)|%c0%af|%c1%9c|%c1%af|%uff0f/g;
