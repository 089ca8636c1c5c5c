/** One line of a CSV text, with the number of the text's line on which it begins. */
export type CsvLine = { line: number; cells: string[] };

/** Reads CSV as RFC 4180 has it, with LF alone too; empty lines and those that begin with `#` are left out. */
export const readCsv = (text: string): CsvLine[] => {
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  let began = 1;

  const endCell = (): void => {
    cells.push(unguarded(cell));
    cell = "";
  };
  const endLine = (): void => {
    endCell();
    const isEmpty = cells.length === 1 && cells[0]?.trim() === "";
    if (!isEmpty && !cells[0]?.startsWith("#")) lines.push({ line: began, cells });
    cells = [];
    began = line;
  };

  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at] ?? "";
    if (character === "\n") line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === ",") endCell();
    else if (character === "\n") endLine();
    else if (character !== "\r" || body[at + 1] !== "\n") cell += character;
  }
  if (cell !== "" || cells.length > 0) endLine();
  return lines;
};

// What spreadsheets run (OWASP, CSV injection).
const runs = /^[=+\-@\t\r]/;

/** Takes the apostrophe away that {@link writeCsv} puts before what a spreadsheet would run. */
const unguarded = (cell: string): string =>
  cell.startsWith("'") && runs.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Writes CSV as RFC 4180 has it; what a spreadsheet would run gets an apostrophe before it. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(",")}\r\n`).join("");

const writeCell = (text: string): string => {
  const safe = runs.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
