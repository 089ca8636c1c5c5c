import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A slip planted on purpose, and the test files that fail with it. */
export type PlantedFault = {
  /** A few words, unique: how reports name it. */
  name: string;
  /** Source file below the project. */
  file: string;
  /** Text that stands exactly once in `file`, and what takes its place. */
  replace: string;
  by: string;
  /** What a user, operator or attacker would notice. */
  breaks: string;
  /** Test files that were seen to fail with it, quickest first. */
  seenBy: readonly string[];
  /** They fail on a PostgreSQL server alone: the embedded database has one session, which keeps people apart by itself. */
  onPostgres: boolean;
};

/**
 * Reads faults as the `.txt` files beside this one list them: below the heading `## SOURCE FILE`, each begins with `### NAME`
 * and what it breaks. Lines with `-` are the text in the source, those with `+` what takes its place: nothing without any.
 * `seen by TEST FILE` may stand several times; `on PostgreSQL` says that only a server shows the fault. Throws for other lines.
 */
const readFaults = (text: string): PlantedFault[] =>
  text.split(/^## /m).flatMap((part) => {
    const [file = "", ...faults] = part.split(/\n+### /);
    return faults.map((fault) => {
      const [name = "", breaks = "", ...lines] = fault.trimEnd().split("\n");
      const stray = lines.find((line) => !/^([-+] |seen by |on PostgreSQL$)/.test(line));
      if (stray !== undefined) throw new Error(`${name}: ${stray}`);
      const after = (mark: string) =>
        lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
      const [replace, by] = [after("- ").join("\n"), after("+ ").join("\n")];
      return {
        file,
        name,
        breaks,
        replace,
        by,
        seenBy: after("seen by "),
        onPostgres: lines.includes("on PostgreSQL"),
      };
    });
  });

/** All faults, of each area one after the other. */
export const allFaults: readonly PlantedFault[] = readdirSync(import.meta.dir)
  .filter((name) => name.endsWith(".txt"))
  .sort()
  .flatMap((name) => readFaults(readFileSync(join(import.meta.dir, name), "utf8")));
