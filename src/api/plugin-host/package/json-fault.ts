/** Where a text stops being JSON, as "line 3, column 5"; `null` for JSON. `JSON.parse` does not say it. */
export const jsonFault = (text: string): string | null => {
  const offset = faultOffset(text);
  if (offset === null) return null;
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
};

const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.source;

const value = `[{[]|${string}|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null`;

const space = /[ \t\r\n]*/y;

const expectations = {
  value: new RegExp(value, "y"),
  firstItem: new RegExp(`\\]|${value}`, "y"),
  key: new RegExp(string, "y"),
  firstKey: new RegExp(`\\}|${string}`, "y"),
  colon: /:/y,
  restOfObject: /[,}]/y,
  restOfArray: /[,\]]/y,
  end: /$/y,
};

type Expected = keyof typeof expectations;

// Without recursion: a hostile text can be nested as deeply as it is long.
const faultOffset = (text: string): number | null => {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at += tokenAt(space, text, at)?.length ?? 0;
    const token = tokenAt(expectations[expected], text, at);
    if (token === null) return at;
    if (expected === "end") return null;
    at += token.length;
    if (token === "{" || token === "[") open.push(token);
    if (token === "}" || token === "]") open.pop();
    expected = expectedAfter(token, expected, open.at(-1));
  }
};

const expectedAfter = (token: string, met: Expected, inside: string | undefined): Expected => {
  if (token === "{") return "firstKey";
  if (token === "[") return "firstItem";
  if (token === ":") return "value";
  if (token === ",") return inside === "{" ? "key" : "value";
  if (token !== "}" && (met === "key" || met === "firstKey")) return "colon";
  if (inside === undefined) return "end";
  return inside === "{" ? "restOfObject" : "restOfArray";
};

const tokenAt = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};
