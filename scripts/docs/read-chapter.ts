import { Lexer, type Token, type Tokens } from "marked";
import { plainText } from "./plain-text.ts";

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
    const slug = slugOf(text);
    const times = known.get(slug) ?? 0;
    known.set(slug, times + 1);
    return { id: times === 0 ? slug : `${slug}-${times}`, text, depth: heading.depth };
  });
  return { title: plainText(first.tokens), tokens, headings };
};

export const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

/** The anchor of a heading, as where the Markdown is kept makes them, so that a link works in both places. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
