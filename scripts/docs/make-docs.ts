import { join } from "node:path";
import type { PackedIndex } from "#ui/docs-site/search/search-index.ts";
import { projectRoot } from "../project-root.ts";
import { type Chapter, chapterGroups } from "./chapters.ts";
import { cliReference, wholeProgram } from "./cli-reference.ts";
import { type Heading, type ReadChapter, readChapter } from "./read-chapter.ts";
import { renderChapter } from "./render-chapter.ts";
import { searchIndexOf } from "./search-entries.ts";

/** A chapter as it is put into its page. */
export type DocsPage = Omit<Chapter, "source"> & {
  title: string;
  /** Markup of what stands below the title. */
  html: string;
  headings: readonly Heading[];
};

/** The whole documentation; `problems` says, a sentence each, what keeps it from being published. */
export type Docs = { pages: DocsPage[]; index: PackedIndex; problems: string[] };

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
