const pieces = [
  ...[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    '"',
    "'",
    "\\",
    "\n",
    "\r",
    "\f",
    "/",
    "*",
    "/*",
    "*/",
    "<!--",
    "-->",
  ],
  ...[
    "url(",
    "u\\72l(",
    "\\75 RL(",
    "×url(",
    "1url(",
    "1.url(",
    "-url(",
    "#url(",
    "U+aurl(",
    "@import",
    "@layer",
  ],
  ...[" ", "a", "41", "-", "\0", "\u0001", "\ufeff", "a{b:", "unicode-range:", "@font-face{", "--c:"],
];

/** Stylesheets of pieces that are read in more than one way, in an order that is always the same. */
export const strangeSheets = function* (count: number): Generator<string> {
  let state = 1;
  // The generator of Park and Miller.
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let made = 0; made < count; made += 1)
    yield Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]).join("");
};
