/**
 * A plugin's stylesheet, kept to the elements below `[data-plugin="{name}"]`: classes of its own stand last in the
 * cascade and would otherwise change the host's look. What only stands at the top of a stylesheet (`@charset`,
 * `@import`, the order of layers) is left out; a brace that would end the scope early ends the stylesheet instead, and
 * whatever is open is closed.
 */
export const scopeCss = (css: string, plugin: string): string => {
  const kept: string[] = [];
  const awaited: string[] = [];
  let braces = 0;
  let statementFrom: number | null = null;
  for (const { kind, text } of cssPieces(css)) {
    const isAtTop = awaited.length === 0;
    if (text === "}" && braces === 0) break;
    if (text === "{" || text === "}") braces += text === "{" ? 1 : -1;
    if (isAtTop && kind === "at" && topRule.test(text)) statementFrom ??= kept.length;
    if (isAtTop && text === "{") statementFrom = null;
    if (kind === "open") awaited.push(closing[text] ?? "");
    kept.push(kind === "close" ? close(awaited, text) : text);
    if (isAtTop && kind === "semicolon" && statementFrom !== null) {
      kept.splice(statementFrom, kept.length, gap);
      statementFrom = null;
    }
  }
  return `@scope ([data-plugin="${plugin}"]) {\n${kept.join("")}${awaited.reverse().join("")}\n}\n`;
};

const topRule = /^@(?:charset|import|layer)$/i;

const closing: Record<string, string> = { "{": "}", "(": ")", "[": "]" };

/** A brace closes what was opened within it, too; another bracket closes its own kind or nothing. */
const close = (awaited: string[], bracket: string): string => {
  if (bracket !== "}") return awaited.at(-1) === bracket ? (awaited.pop() ?? "") : gap;
  const from = awaited.lastIndexOf(bracket);
  return awaited.splice(from).reverse().join("");
};

/** A piece of a stylesheet, written so that every reader of CSS takes it for the same. */
type CssPiece = {
  kind: "open" | "close" | "semicolon" | "at" | "other";
  /** A bracket, the name of an at-rule with its `@`, or any text in which no bracket means anything. */
  text: string;
};

/**
 * Takes a stylesheet apart as browsers do (CSS Syntax 3 §4) and writes each piece anew, so that nobody can read a bracket
 * into it that is none, or the other way round. Strings and comments are closed, addresses stand in quotes, and what is broken
 * (a string that ends with its line, an address with a quote in it) is left out. Time grows with the length alone.
 */
const cssPieces = function* (sheet: string): Generator<CssPiece> {
  const css = sheet.replace(/\r\n?|\f/g, "\n").replaceAll("\0", "\ufffd");
  for (let at = 0; at < css.length; ) {
    const { kind, text, end } = pieceAt(css, at);
    yield { kind, text };
    at = end;
  }
};

type Found = CssPiece & { end: number };

const kinds: Record<string, CssPiece["kind"]> = {
  ...{ "{": "open", "(": "open", "[": "open" },
  ...{ "}": "close", ")": "close", "]": "close" },
  ";": "semicolon",
};

const pieceAt = (css: string, at: number): Found => {
  const char = css[at] ?? "";
  const kind = kinds[char];
  if (kind !== undefined) return { kind, text: char, end: at + 1 };
  if (isQuote(char)) return stringAt(css, at);
  if (css.startsWith("/*", at)) return commentAt(css, at);
  const mark = char === "@" || char === "#" ? char : "";
  const name = nameAt(css, at + mark.length);
  if (name !== "") return namedAt(css, mark + name, at);
  // A backslash at the end of a line or of all escapes nothing.
  return char === "\\" ? leftOut(at + 1) : other(match(plainText, css, at) || char, at);
};

const other = (text: string, from: number): Found => ({ kind: "other", text, end: from + text.length });

/** What stands for what is left out: what stood before and behind would otherwise become one, a space being part of an escape. */
const gap = "/**/";
const leftOut = (end: number): Found => ({ kind: "other", text: gap, end });

const isQuote = (char: string | undefined): boolean => char === '"' || char === "'";

const commentAt = (css: string, at: number): Found => {
  const end = css.indexOf("*/", at + 2);
  return end < 0
    ? { kind: "other", text: `${css.slice(at)}*/`, end: css.length }
    : other(css.slice(at, end + 2), at);
};

/** The string that begins at a place, on one line and closed; left out where its line ends first. */
const stringAt = (css: string, from: number): Found & { isBroken: boolean } => {
  const quote = css[from] ?? "";
  let text = quote;
  let at = from + 1;
  while (at < css.length && css[at] !== quote) {
    const [written, taken] = stringPartAt(css, at);
    if (taken === 0) return { ...leftOut(at), isBroken: true };
    text += written;
    at += taken;
  }
  return { kind: "other", text: text + quote, end: at + 1, isBroken: false };
};

/** What a part of a string is written as, and how much it takes up: nothing where the line ends. */
const stringPartAt = (css: string, at: number): [written: string, taken: number] => {
  const part = match(inString, css, at) || match(escaped, css, at) || match(otherQuote, css, at);
  if (part !== "") return [part.replace("\n", " "), part.length];
  // A line that goes on in the next, and a backslash at the end of all.
  return css[at] === "\\" ? ["", 2] : ["", 0];
};

const nameAt = (css: string, from: number): string => {
  let at = from;
  for (let more = " "; more !== ""; at += more.length)
    more = match(inName, css, at) || match(escaped, css, at);
  return css.slice(from, at);
};

const namedAt = (css: string, name: string, at: number): Found => {
  if (name.startsWith("@")) return { ...other(name, at), kind: "at" };
  const end = at + name.length;
  const meant = css[end] === "(" ? unescaped(name).toLowerCase() : "";
  if (meant === "url") return addressAt(css, end + 1);
  // Where a name begins is not the same to all: what ends with these letters might be read as an address.
  return meant.endsWith("url") ? { kind: "other", text: `${name}${gap}`, end } : other(name, at);
};

/** The address that is opened before a place, in quotes and closed; left out where it is broken. */
const addressAt = (css: string, from: number): Found => {
  let at = from + match(space, css, from).length;
  if (isQuote(css[at]))
    return { kind: "other", text: stringAt(css, at).isBroken ? `url${gap}` : "url", end: from - 1 };
  let text = "";
  for (let part = " "; part !== ""; at += part.length) {
    part = match(inAddress, css, at) || match(escaped, css, at);
    text += part.replace("\n", " ");
  }
  at += match(space, css, at).length;
  if (at >= css.length || css[at] === ")") return { kind: "other", text: `url("${text}")`, end: at + 1 };
  return leftOut(endOfBroken(css, at));
};

const endOfBroken = (css: string, from: number): number => {
  let at = from;
  while (at < css.length && css[at] !== ")")
    at += (match(notClosing, css, at) || match(escaped, css, at) || "\\").length;
  return at + 1;
};

const unescaped = (name: string): string =>
  name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_all, hex: string | undefined, char: string) =>
    hex === undefined ? char : String.fromCharCode(Math.min(Number.parseInt(hex, 16), 0xffff)),
  );

// Each matches at a place, and a class of characters at most: nothing is ever tried twice.
const plainText = /[^\w\-\u0080-\uffff\\"'{}()[\];/@#]+/y;
const inName = /[\w\-\u0080-\uffff]+/y;
const escaped = /\\(?:[0-9a-f]{1,6}[ \t\n]?|[^0-9a-f\n])/iy;
const inString = /[^"'\\\n]+/y;
const otherQuote = /["']/y;
const inAddress = /[!#-&*-[\]-~\u0080-\uffff]+/y;
const notClosing = /[^\\)]+/y;
const space = /[ \t\n]*/y;

/** What a pattern finds at just that place; nothing otherwise. */
const match = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
};
