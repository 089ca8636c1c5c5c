import { CliFailure } from "./failure.ts";

/** The form of an exported file: CSV begins with a record of headings. */
export type ExportFormat = "csv" | "ndjson";

/** How an export is read page by page. */
export type ExportPages = {
  format: ExportFormat;
  /** How many records a whole page has. */
  pageRows: number;
  /** Whether pages are read until one is not whole; the first alone otherwise. */
  isAll: boolean;
  /** Begins to read the page of the newest records, or of those older than the one with the number `before`. */
  open(before: number | null): Promise<AsyncIterable<Uint8Array>>;
  /** Is told of all records that have gone by so far. */
  onRows(rows: number): void;
};

/**
 * The pages of an export as one file. Each record is one line and begins with its number, by which the next page is
 * asked for; the headings of the pages behind the first are left out.
 */
export const exportPages = async function* ({
  format,
  pageRows,
  isAll,
  open,
  onRows,
}: ExportPages): AsyncGenerator<Uint8Array> {
  let rows = 0;
  let before: number | null = null;
  for (;;) {
    const page = createPage({ hasHead: format === "csv", isFirst: before === null });
    for await (const chunk of await open(before)) {
      const kept = page.take(chunk);
      if (kept.length > 0) yield kept;
      onRows(rows + page.rows());
    }
    const last = page.lastNumber();
    rows += page.rows();
    if (!isAll || page.rows() < pageRows) return;
    if (last === null || (before !== null && last >= before))
      throw new CliFailure("INTERNAL", "the export cannot be continued: its records have no falling numbers");
    before = last;
  }
};

type Page = {
  /** What of a chunk belongs into the file. */
  take(chunk: Uint8Array): Uint8Array;
  /** How many records have ended so far. */
  rows(): number;
  /** The number that the last record begins with, `null` where it begins with none. */
  lastNumber(): number | null;
};

const lineFeed = 10;
// More than enough for `{"id":` and the digits of a number.
const keptBytes = 40;

const createPage = ({ hasHead, isFirst }: { hasHead: boolean; isFirst: boolean }): Page => {
  let lines = 0;
  // How the line begins that is being read, and how the last whole one did.
  let beginning: number[] = [];
  let last = "";

  const note = (bytes: Uint8Array): void => {
    for (const byte of bytes.subarray(0, keptBytes - beginning.length)) beginning.push(byte);
  };
  /** Reads the chunk's lines; where the head ends in it, or 0. */
  const read = (chunk: Uint8Array): number => {
    let [start, headEnd] = [0, 0];
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      note(chunk.subarray(start, end));
      last = String.fromCharCode(...beginning);
      beginning = [];
      lines += 1;
      start = end + 1;
      if (hasHead && lines === 1) headEnd = start;
    }
    note(chunk.subarray(start));
    return headEnd;
  };
  return {
    take: (chunk) => {
      const wasInHead = hasHead && lines === 0;
      const headEnd = read(chunk);
      if (isFirst || !wasInHead) return chunk;
      return chunk.subarray(lines === 0 ? chunk.length : headEnd);
    },
    rows: () => Math.max(0, lines - (hasHead ? 1 : 0)),
    lastNumber: () => {
      const digits = /^(?:\{"id":)?(\d+)\b/.exec(last)?.[1];
      return digits === undefined ? null : Number(digits);
    },
  };
};
