import { join } from "node:path";
import type { Token } from "marked";
import { type PackedIndex, packIndex, type SearchIndex, wordsOf } from "#ui/docs-site/search/search-index.ts";
import { projectRoot } from "../project-root.ts";
import type { IndexedGroup } from "../ui/crawler-texts.ts";
import { type Chapter, chapterGroups } from "./chapters.ts";
import { cliReference, wholeProgram } from "./cli-reference.ts";
import { type Heading, isHeading, plainText, type ReadChapter, readChapter } from "./read-chapter.ts";
import { renderChapter } from "./render-chapter.ts";

/** A chapter as it is put into its page. */
export type DocsPage = Omit<Chapter, "source"> & {
  title: string;
  /** Markup of what stands below the title. */
  html: string;
  headings: readonly Heading[];
};

/** The whole documentation; `problems` says, a sentence each, what keeps it from being published. */
type Docs = { pages: DocsPage[]; index: PackedIndex; problems: string[] };

/** Reads every chapter, resolves the links among them and makes their markup and the index. */
export const makeDocs = async (): Promise<Docs> => {
  const problems: string[] = [];
  const chapters = await Promise.all(chapterGroups.flatMap((group) => group.chapters).map(read));
  const targets = {
    pages: new Map(
      chapters.map(({ path, source, chapter: { title, headings } }) => [
        source,
        { path, title, anchors: new Set(headings.map(({ id }) => id)) },
      ]),
    ),
  };
  const pages = chapters.map(({ path, source, description, chapter }) => ({
    path,
    description,
    title: chapter.title,
    headings: chapter.headings,
    html: renderChapter({ source, chapter, targets, complain: (problem) => problems.push(problem) }),
  }));
  return { pages, index: searchIndexOf(chapters), problems };
};

type Read = Chapter & { source: string; chapter: ReadChapter };

const read = async (chapter: Chapter): Promise<Read> => {
  const source = chapter.source ?? chapter.path;
  const markdown =
    chapter.source === null
      ? cliReference(wholeProgram())
      : await Bun.file(join(projectRoot, chapter.source)).text();
  return { ...chapter, source, chapter: readChapter(source, markdown) };
};

/** The index of all chapters: a section for what stands before the first heading of each, and one for each heading. */
const searchIndexOf = (chapters: readonly { path: string; chapter: ReadChapter }[]): PackedIndex => {
  const pages: SearchIndex["pages"] = [];
  const sections: SearchIndex["sections"] = [];
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

/**
 * What stands before the first heading, and below each, without files that are shown whole: their words are what no one searches for,
 * and take room in the index.
 */
const partsOf = ({ tokens }: ReadChapter): Token[][] => {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isHeading(token)) parts.push([]);
    else if (!isFile(token)) parts.at(-1)?.push(token);
  }
  return parts;
};

/** Whether a piece of code has a file's name. */
const isFile = (token: Token): boolean => token.type === "code" && /\s/.test(token.lang ?? "");

/** All chapters with their titles, in reading order. Throws for one that does not begin with its title. */
export const indexedChapters = (): Promise<IndexedGroup[]> =>
  Promise.all(
    chapterGroups.map(async ({ title, chapters }) => ({
      title,
      pages: await Promise.all(chapters.map(indexed)),
    })),
  );

const indexed = async (chapter: Chapter) => {
  const { path, source, description } = chapter;
  const text =
    source === null ? cliReference(wholeProgram()) : await Bun.file(join(projectRoot, source)).text();
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} does not begin with its title`);
  return { path, title: title.replaceAll("`", ""), description };
};
