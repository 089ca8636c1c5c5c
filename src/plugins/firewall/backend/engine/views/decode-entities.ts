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
