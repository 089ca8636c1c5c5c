import { fitColumns, lineWidth, shorten } from "./fit-columns.ts";
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
  /** Whether what is too long goes on below, in place of being cut. */
  isWrapped?: true;
};

/** The least of a column that is of no use when it is cut, such as an id. */
export const whole = Number.POSITIVE_INFINITY;

const usualLeast = 10;

/**
 * Rows as text: on a terminal aligned below their headings and as wide as it is at most, or, where even the columns that are
 * not spare do not fit, a block of lines for each row with all of it; elsewhere one line a row with tabs between the cells
 * and no headings, for `cut` and `awk`.
 */
export const formatTable = <T>(columns: readonly Column<T>[], rows: readonly T[], style: Style): string => {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  if (!style.isTerminal) return cells.map((line) => line.join("\t")).join("\n");
  const needs = columns.map(({ heading, least = usualLeast, isSpare = false }, at) => {
    const texts = [heading, ...cells.map((line) => line[at] ?? "")];
    return { natural: Math.max(...texts.map((text) => Bun.stringWidth(text))), least, isSpare };
  });
  const room = style.columns ?? Number.POSITIVE_INFINITY;
  const widths = fitColumns(needs, room);
  const table = { columns, rows, cells, style };
  return lineWidth(widths) > room ? blocksOf(table) : alignedRows(table, widths);
};

type Table<T> = { columns: readonly Column<T>[]; rows: readonly T[]; cells: string[][]; style: Style };

const alignedRows = <T>({ columns, rows, cells, style }: Table<T>, widths: readonly number[]): string => {
  const shown = columns.flatMap((column, at) => {
    const width = widths[at] ?? 0;
    return width > 0 ? [{ ...column, at, width }] : [];
  });
  // The last column ends its line: spaces behind it would only wrap on a narrow terminal.
  const filled = (text: string, { at, width }: { at: number; width: number }) =>
    at === shown.at(-1)?.at ? text : text + " ".repeat(width - Bun.stringWidth(text));
  const head = shown.map((column) => style.bold(filled(shorten(column.heading, column.width), column)));
  const body = rows.flatMap((row, line) => {
    const parts = shown.map(({ at, width, isWrapped }) => {
      const text = cells[line]?.[at] ?? "";
      return isWrapped ? Bun.wrapAnsi(text, width, { hard: true }).split("\n") : [shorten(text, width)];
    });
    const height = Math.max(...parts.map(({ length }) => length));
    return Array.from({ length: height }, (_, below) =>
      shown
        .map((column, place) => {
          const text = filled(parts[place]?.[below] ?? "", column);
          return column.paint ? column.paint(text, row) : text;
        })
        .join("  "),
    );
  });
  const leftOut = columns.filter((_, at) => widths[at] === 0).map(({ heading }) => heading);
  const remark = leftOut.length === 0 ? [] : [style.dim(`Too narrow to show: ${leftOut.join(", ")}`)];
  return [head.join("  "), ...body, ...remark].join("\n");
};

/** A row as lines of heading and cell; empty cells are left out. */
const blocksOf = <T>({ columns, rows, cells, style }: Table<T>): string =>
  rows
    .map((row, line) =>
      columns
        .flatMap(({ heading, paint }, at) => {
          const text = cells[line]?.[at] ?? "";
          return text === "" ? [] : [`${style.bold(`${heading}:`)} ${paint ? paint(text, row) : text}`];
        })
        .join("\n"),
    )
    .join("\n\n");

/** Named facts, one a line: aligned on a terminal, with a tab between name and value elsewhere. */
export const formatFacts = (
  facts: readonly (readonly [name: string, value: string])[],
  style: Style,
): string => {
  const width = Math.max(...facts.map(([name]) => name.length));
  const lead = (name: string) => (style.isTerminal ? `${style.bold(name.padEnd(width))}  ` : `${name}\t`);
  return facts.map(([name, value]) => `${lead(name)}${printable(value)}`).join("\n");
};
