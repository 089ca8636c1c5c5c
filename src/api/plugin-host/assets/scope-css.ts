import { cssPieces, gap } from "./css-pieces.ts";

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
