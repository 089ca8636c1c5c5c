import { Lexer, type Token, type Tokens } from "marked";
import { anchorOf } from "#ui/docs-site/search/search-index.ts";

/** A heading below the title; `id` is its anchor. */
export type Heading = { id: string; text: string; depth: number };

/** A chapter taken apart: what comes after the title is `tokens`. */
export type ReadChapter = {
  title: string;
  tokens: Token[];
  /** In the order in which they stand. */
  headings: Heading[];
};

/** Reads a chapter's Markdown. Throws when it does not begin with its title. */
export const readChapter = (name: string, markdown: string): ReadChapter => {
  const [first, ...tokens] = new Lexer({ gfm: true }).lex(markdown);
  if (first === undefined || !isHeading(first) || first.depth !== 1) {
    throw new Error(`${name} does not begin with a title`);
  }
  const known = new Map<string, number>();
  const headings = tokens.filter(isHeading).map((heading) => {
    const text = plainText(heading.tokens);
    const slug = anchorOf(text);
    const times = known.get(slug) ?? 0;
    known.set(slug, times + 1);
    return { id: times === 0 ? slug : `${slug}-${times}`, text, depth: heading.depth };
  });
  return { title: plainText(first.tokens), tokens, headings };
};

export const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

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
