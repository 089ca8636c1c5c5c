import type { SourceFile } from "./find-import-violations.ts";

/** A statement that does nothing but wait for a while. */
export type Pause = { path: string; line: number };

/** A promise that is kept once a while has passed, and nothing else comes of it. */
const span = String.raw`(?:Bun\.sleep|[^.\w]sleep|waitForTimeout|setTimeout)\((?!0\))`;
const wait = /^\s*await (?:\w+(?:\.\w+)*\.)?(?:Bun\.sleep|sleep|waitForTimeout|setTimeout)\((?!0\))/;
/** One of those in a race: whatever else is waited for, the test goes on once the time is over. */
const race = new RegExp(String.raw`\bPromise\.race\(.*${span}`);
/** The same in a page or by hand. */
const timer = /new Promise(?:<\w+>)?\(.*\bsetTimeout\(resolve, (?!0\))/;

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isFunction = (line: string): boolean => /=>(?: \{)?$|\bfunction\b/.test(line);
/** A loop that goes over a list or counts, and so ends whatever it sees. */
const isCounted = (line: string): boolean =>
  /^\s*for (?:await )?\((?:const|let) .* of /.test(line) ||
  /^\s*for \(let \w+ = \d+; \w+ <=? [\w.]+; /.test(line);
const isLoop = (line: string): boolean => /^\s*(?:\} )?(?:for|while|do)\b/.test(line);
const leavesLoop = (line: string): boolean => /\b(?:break|return|continue)\b/.test(line);

/**
 * Where tests wait for a while and not for something. A loop of the same function that ends by what it sees asks for
 * something in between; one that counts, or goes over a list and is never left early, only waits more often. The lines around
 * a statement are told by their indentation, which the formatter sees to.
 */
export const findPauses = (files: readonly SourceFile[]): Pause[] =>
  files.flatMap(({ path, text }) => {
    const lines = text.split("\n");
    return lines.flatMap((line, index) => {
      const isPause =
        (wait.test(line) && !isPolling(lines, index)) || isRace(lines, index) || timer.test(line);
      return isPause ? [{ path, line: index + 1 }] : [];
    });
  });

const isRace = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? "";
  if (race.test(line)) return true;
  // A race that the formatter has broken over lines.
  const opener = lines.slice(0, index).findLastIndex((before) => indentOf(before) < indentOf(line));
  return new RegExp(span).test(` ${line}`) && /\bPromise\.race\(\[?$/.test(lines[opener] ?? "");
};

const isPolling = (lines: readonly string[], index: number): boolean => {
  let indent = indentOf(lines[index] ?? "");
  for (const [above, line] of [...lines.slice(0, index).entries()].reverse()) {
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (isFunction(line)) return false;
    if (!isLoop(line)) continue;
    if (!isCounted(line) || bodyOf(lines, above).some(leavesLoop)) return true;
  }
  return false;
};

const bodyOf = (lines: readonly string[], loop: number): readonly string[] => {
  const indent = indentOf(lines[loop] ?? "");
  const rest = lines.slice(loop + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && indentOf(line) <= indent);
  return end < 0 ? rest : rest.slice(0, end);
};
