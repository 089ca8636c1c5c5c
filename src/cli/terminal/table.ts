import { printable, type Style } from "./output.ts";

/** A column: its heading, and its cell for a row. */
export type Column<T> = {
  heading: string;
  cell: (row: T) => string;
  paint?: (text: string, row: T) => string;
  /** How narrow a terminal may make it: 10 unless told. */
  least?: number;
  /** Whether a terminal that is too narrow for all columns does without it. */
  isSpare?: true;
  /** Whether a long text continues below instead of being cut. */
  isWrapped?: true;
};

/** How a column differs from one that shows its field: `as` writes the field, `cell` shows something else of the row. */
type FieldColumn<Row, Value> = Omit<Column<Row>, "heading" | "cell"> & {
  as?: (value: Value) => string;
  cell?: (row: Row) => string;
};

/** Makes columns of marked fields, below their labels. */
export const columnsOf =
  <Row>(fields: { readonly [Name in keyof Row]?: { label: string } }) =>
  <Name extends keyof Row & string>(
    name: Name,
    { as = String, cell = (row) => as(row[name]), ...rest }: FieldColumn<Row, Row[Name]> = {},
  ): Column<Row> => ({ heading: (fields[name]?.label ?? name).toUpperCase(), cell, ...rest });

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
  const width = style.columns ?? Number.POSITIVE_INFINITY;
  const widths = fitColumns(needs, width);
  const table = { columns, rows, cells, style };
  return lineWidth(widths) > width ? blocksOf(table) : alignedRows(table, widths);
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
  const remark = leftOut.length === 0 ? [] : [style.dim(`Columns that don't fit: ${leftOut.join(", ")}`)];
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

/** What a column of a table asks for: its natural width, the least that is of use, and whether it can be left out. */
export type ColumnNeeds = { natural: number; least: number; isSpare: boolean };

const gap = 2;

/** How wide a line of these columns is, those of width 0 left out. */
const lineWidth = (widths: readonly number[]): number => {
  const shown = widths.filter((width) => width > 0);
  return sum(shown) + gap * Math.max(0, shown.length - 1);
};

/**
 * The width of each column so that a line fits into `width`: the widest give way first, none below its least, and where
 * that is not enough the last spare one is left out (width 0), then the one before. What cannot fit even so is too wide.
 */
export const fitColumns = (columns: readonly ColumnNeeds[], width: number): number[] => {
  const least = columns.map((column) => Math.min(column.natural, column.least));
  const isShown = columns.map(() => true);
  const shown = (widths: readonly number[]) => widths.filter((_, at) => isShown[at]);
  const lineOf = (widths: readonly number[]) => sum(shown(widths)) + gap * (shown(widths).length - 1);
  for (let at = columns.length - 1; at >= 0 && lineOf(least) > width; at -= 1)
    if (columns[at]?.isSpare) isShown[at] = false;
  const natural = columns.map((column) => column.natural);
  const capped = (most: number) =>
    natural.map((width, at) => Math.max(Math.min(width, most), least[at] ?? 0));
  let most = Math.max(...natural);
  while (most > 0 && lineOf(capped(most)) > width) most -= 1;
  return capped(most).map((width, at) => (isShown[at] ? width : 0));
};

/** A text that takes at most `width` columns of a terminal; an ellipsis stands for what was cut off. */
export const shorten = (text: string, width: number): string => {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);
