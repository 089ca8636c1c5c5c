/** The records of a CSV text as RFC 4180 reads them. Throws for a quote out of place and a line break other than CRLF. */
export const parseCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    record.push(cell);
    at = end;
    if (text[at] === ",") {
      at += 1;
      continue;
    }
    if (text.slice(at, at + 2) !== "\r\n") throw new Error(`no record ends at ${at}`);
    records.push(record);
    record = [];
    at += 2;
  }
  if (record.length > 0) throw new Error("the last record has no end");
  return records;
};

type Cell = { cell: string; end: number };

const quotedCell = (text: string, start: number): Cell => {
  let cell = "";
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new Error(`the quote at ${start} is never closed`);
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
};

const plainCell = (text: string, start: number): Cell => {
  const cell = /^[^",\r\n]*/.exec(text.slice(start, start + 100_000))?.[0] ?? "";
  return { cell, end: start + cell.length };
};

/** A cell as it is read by whoever takes away the apostrophes that keep it from being a formula. */
export const unmarked = (cell: string): string =>
  cell.replace(/^'(?=[=+\-@\t\r\n\uff1d])/, "").replace(/(?<=[;\t\r\n])'(?=[=+\-@\uff1d])/g, "");
