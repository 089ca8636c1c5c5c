import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/project-root.ts";

/** A piece of code in a document, under the heading that it stands below. */
export type DocBlock = { heading: string; code: string };

/** The blocks of a document that are in `language`, in their order. `path` is below the project's folder. */
export const docBlocks = (path: string, language: string): DocBlock[] => {
  const blocks: DocBlock[] = [];
  let [heading, open]: [string, { language: string; lines: string[] } | null] = ["", null];
  for (const line of readFileSync(join(projectRoot, path), "utf8").split("\n")) {
    if (line.startsWith("```")) {
      if (open?.language === language) blocks.push({ heading, code: `${open.lines.join("\n")}\n` });
      open = open === null ? { language: line.slice(3).trim(), lines: [] } : null;
    } else if (open !== null) open.lines.push(line);
    else if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
  }
  return blocks;
};
