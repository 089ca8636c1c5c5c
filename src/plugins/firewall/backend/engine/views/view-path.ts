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
