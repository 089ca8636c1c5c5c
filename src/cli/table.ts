import { printable, type Style } from "./output.ts";

/** A column: its heading, and what stands in it for a row. */
export type Column<T> = {
  heading: string;
  cell: (row: T) => string;
  paint?: (text: string, row: T) => string;
};

/**
 * Rows as text: on a terminal aligned below their headings, elsewhere one line a row with tabs between the cells and
 * no headings, for `cut` and `awk`.
 */
export const formatTable = <T>(columns: readonly Column<T>[], rows: readonly T[], style: Style): string => {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  if (!style.isTerminal) return cells.map((line) => line.join("\t")).join("\n");
  const widths = columns.map(({ heading }, at) =>
    Math.max(...[heading, ...cells.map((line) => line[at] ?? "")].map((text) => Bun.stringWidth(text))),
  );
  // The last column ends its line: spaces behind it would only wrap on a narrow terminal.
  const pad = (text: string, at: number) =>
    at === columns.length - 1 ? text : text + " ".repeat((widths[at] ?? 0) - Bun.stringWidth(text));
  const head = columns.map(({ heading }, at) => style.bold(pad(heading, at))).join("  ");
  const body = rows.map((row, line) =>
    columns
      .map(({ paint }, at) => {
        const text = pad(cells[line]?.[at] ?? "", at);
        return paint ? paint(text, row) : text;
      })
      .join("  "),
  );
  return [head, ...body].join("\n");
};

/** Named facts, one a line: aligned on a terminal, with a tab between name and value elsewhere. */
export const formatFacts = (
  facts: readonly (readonly [name: string, value: string])[],
  style: Style,
): string => {
  const width = Math.max(...facts.map(([name]) => name.length));
  const lead = (name: string) => (style.isTerminal ? `${style.bold(name.padEnd(width))}  ` : `${name}\t`);
  return facts.map(([name, value]) => `${lead(name)}${printable(value)}`).join("\n");
};
