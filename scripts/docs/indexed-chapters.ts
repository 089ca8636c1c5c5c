import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import type { IndexedGroup } from "../ui/llms-text.ts";
import { type Chapter, chapterGroups } from "./chapters.ts";
import { cliReference, wholeProgram } from "./cli-reference.ts";

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
