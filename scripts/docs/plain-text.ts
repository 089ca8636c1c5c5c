import type { Token } from "marked";

/** What readers see of some Markdown, without its marks; blocks and cells are apart by a blank. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens.map(textOf).join("").replace(/\s+/g, " ").trim();

const textOf = (token: Token): string => {
  if (token.type === "table") {
    const cells = [...asCells(token.header), ...asRows(token.rows).flat()];
    return ` ${cells.map(({ tokens }) => plainText(tokens)).join(" ")} `;
  }
  if (token.type === "list")
    return ` ${asCells(token.items)
      .map(({ tokens }) => plainText(tokens))
      .join(" ")} `;
  const isBlock = blocks.has(token.type);
  const inner = "tokens" in token && token.tokens ? token.tokens.map(textOf).join("") : words(token);
  return isBlock ? ` ${inner} ` : inner;
};

const blocks = new Set(["paragraph", "heading", "code", "blockquote", "list_item", "space", "hr"]);

const words = (token: Token): string => {
  if (token.type === "space" || token.type === "br" || token.type === "hr") return " ";
  return "text" in token && typeof token.text === "string" ? token.text : "";
};

type Cell = { tokens: Token[] };

/** The parser's type for tables and lists is open; these are its shapes. */
const asCells = (cells: unknown): Cell[] => cells as Cell[];
const asRows = (rows: unknown): Cell[][] => rows as Cell[][];
