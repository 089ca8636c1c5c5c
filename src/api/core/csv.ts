/** The value of a cell; `null` leaves it empty. */
type CsvCell = string | number | boolean | null;

/**
 * One record of a CSV file with its line break (RFC 4180). A text that a spreadsheet would run as a formula gets an
 * apostrophe in front, with which spreadsheets mark plain text; the full-width signs are the same to some of them. So does
 * what stands behind a `;`, a tab or a line break within it: where a semicolon separates cells, which countries differ in, the
 * quotes do not hold the text together and a cell begins there.
 * Source: OWASP, CSV Injection.
 */
export const csvRecord = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(",")}\r\n`;

const runsAsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const beginsCell = /(?<!^)([;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;

// Most texts need neither.
const isSpecial = new RegExp(`${runsAsFormula.source}|${needsQuotes.source}`);

/** One cell of such a record. */
export const csvCell = (cell: CsvCell): string => {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  if (cell === "" || !isSpecial.test(cell)) return cell;
  const inner = cell.replace(beginsCell, "$1'");
  const text = runsAsFormula.test(inner) ? `'${inner}` : inner;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * The pieces as a stream of their bytes. The next piece is asked for once the one before has left; who goes away early ends
 * `pieces`, and what `pieces` throws ends the stream.
 */
export const streamOf = <T>(
  pieces: AsyncIterable<T>,
  bytesOf: (piece: T) => Uint8Array<ArrayBuffer>,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(bytesOf(next.value));
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    // Nothing is fetched before the first read.
    { highWaterMark: 0 },
  );
};

/** For {@link streamOf}: bytes of the stream's own, whatever memory those lie in that come. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
