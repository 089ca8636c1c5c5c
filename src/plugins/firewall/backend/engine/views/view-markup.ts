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
