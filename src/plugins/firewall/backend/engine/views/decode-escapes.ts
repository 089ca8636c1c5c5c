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
