import type { SourceFile } from "./find-import-violations.ts";

/** A statement that does nothing but wait for a while. */
export type Pause = { path: string; line: number };

const pause = /^(\s*)await (?:Bun\.sleep|sleep|setTimeout)\((?!0\))/;
const indentOf = (line: string): number => line.length - line.trimStart().length;
const isLoop = (line: string): boolean => /^\s*(?:\} )?(?:for|while|do)\b/.test(line);
const isFunction = (line: string): boolean => /=>(?: \{)?$|\bfunction\b/.test(line);

/**
 * Where tests wait for a while outside of a loop of their function: a loop asks for something in between. The lines around
 * a statement are told by their indentation, which the formatter sees to.
 */
export const findPauses = (files: readonly SourceFile[]): Pause[] =>
  files.flatMap(({ path, text }) => {
    const lines = text.split("\n");
    return lines.flatMap((line, index) =>
      pause.test(line) && !isInLoop(lines, index) ? [{ path, line: index + 1 }] : [],
    );
  });

const isInLoop = (lines: readonly string[], index: number): boolean => {
  let indent = indentOf(lines[index] ?? "");
  for (const line of lines.slice(0, index).reverse()) {
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (isLoop(line)) return true;
    if (isFunction(line)) return false;
  }
  return false;
};
