/** What a line of the benchmark found: a table of text, and what a reader must know of how it was measured. */
export type Report = { title: string; method: string; columns: string[]; rows: string[][] };

/** The report as a Markdown table, padded for the terminal. */
export const formatReport = ({ title, method, columns, rows }: Report): string => {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${widths.map((width, index) => pad(cells[index] ?? "", width, index === 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [`## ${title}`, "", method, "", line(columns), rule, ...rows.map(line), ""].join("\n");
};

/** A number with `digits` decimals and separated thousands. */
export const decimal = (value: number, digits = 0): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A share of one as a whole percentage. */
export const percent = (share: number): string => `${decimal(share * 100)} %`;

/** Bytes as megabytes of a million. */
export const megabytes = (bytes: number): string => `${decimal(bytes / 1_000_000)} MB`;

const pad = (text: string, width: number, isLabel: boolean): string =>
  isLabel ? text.padEnd(width) : text.padStart(width);
