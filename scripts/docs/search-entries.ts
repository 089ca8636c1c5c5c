import type { Token } from "marked";
import { type PackedIndex, packIndex } from "#ui/docs-site/search/search-index.ts";
import { wordsOf } from "#ui/docs-site/search/words.ts";
import { plainText } from "./plain-text.ts";
import { isHeading, type ReadChapter } from "./read-chapter.ts";

/** The index of all chapters: a section for what stands before the first heading of each, and one for each heading. */
export const searchIndexOf = (chapters: readonly { path: string; chapter: ReadChapter }[]): PackedIndex => {
  const pages: PackedIndex["pages"] = [];
  const sections: PackedIndex["sections"] = [];
  const texts: string[][] = [];
  for (const [page, { path, chapter }] of chapters.entries()) {
    pages.push([path, chapter.title]);
    for (const [index, tokens] of partsOf(chapter).entries()) {
      const heading = index === 0 ? null : chapter.headings[index - 1];
      sections.push([page, heading?.id ?? "", heading?.text ?? ""]);
      texts.push(wordsOf(plainText(tokens)));
    }
  }
  return packIndex({ pages, sections }, texts);
};

/** What stands before the first heading, and below each. */
const partsOf = ({ tokens }: ReadChapter): Token[][] => {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isHeading(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
};
