import { fitColumns, shorten } from "./fit-columns.ts";
import { printable, type Style } from "./output.ts";

/** A column: its heading, and what stands in it for a row. */
export type Column<T> = {
  heading: string;
  cell: (row: T) => string;
  paint?: (text: string, row: T) => string;
  /** How narrow a terminal may make it: 10 unless told. */
  least?: number;
  /** Whether a terminal that is too narrow for all columns does without it. */
  isSpare?: true;
};

/** The least of a column that is of no use when it is cut, such as an id. */
export const whole = Number.POSITIVE_INFINITY;

const usualLeast = 10;

/**
 * Rows as text: on a terminal aligned below their headings and as wide as it is at most, elsewhere one line a row with tabs between the cells and
 * no headings, for `cut` and `awk`.
 */
export const formatTable = <T>(columns: readonly Column<T>[], rows: readonly T[], style: Style): string => {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  if (!style.isTerminal) return cells.map((line) => line.join("\t")).join("\n");
  const needs = columns.map(({ heading, least = usualLeast, isSpare = false }, at) => {
    const texts = [heading, ...cells.map((line) => line[at] ?? "")];
    return { natural: Math.max(...texts.map((text) => Bun.stringWidth(text))), least, isSpare };
  });
  const widths = fitColumns(needs, style.columns ?? Number.POSITIVE_INFINITY);
  const shown = columns.flatMap((column, at) => {
    const width = widths[at] ?? 0;
    return width > 0 ? [{ ...column, at, width }] : [];
  });
  const fitted = (text: string, { at, width }: { at: number; width: number }) => {
    const cut = shorten(text, width);
    // The last column ends its line: spaces behind it would only wrap on a narrow terminal.
    return at === shown.at(-1)?.at ? cut : cut + " ".repeat(width - Bun.stringWidth(cut));
  };
  const head = shown.map((column) => style.bold(fitted(column.heading, column))).join("  ");
  const body = rows.map((row, line) =>
    shown
      .map((column) => {
        const text = fitted(cells[line]?.[column.at] ?? "", column);
        return column.paint ? column.paint(text, row) : text;
      })
      .join("  "),
  );
  const leftOut = columns.filter((_, at) => widths[at] === 0).map(({ heading }) => heading);
  const remark = leftOut.length === 0 ? [] : [style.dim(`Too narrow to show: ${leftOut.join(", ")}`)];
  return [head, ...body, ...remark].join("\n");
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
