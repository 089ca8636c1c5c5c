import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import type { TransferDatabase } from "#api/db/transfer/transfer-tables.ts";

/** A number for each table that follows from its rows, in whichever order they come. */
export type RowSums = Record<string, bigint>;

/** How many lines there are, and the sum of their 64-bit hashes. */
export const sumOfRows = (lines: Uint8Array): { rows: number; sum: bigint } => {
  let rows = 0;
  let sum = 0n;
  for (let start = 0; start < lines.byteLength; ) {
    const found = lines.indexOf(lineFeed, start);
    const end = found === -1 ? lines.byteLength : found;
    sum += Bun.hash.wyhash(lines.subarray(start, end));
    rows += 1;
    start = end + 1;
  }
  return { rows, sum };
};

const lineFeed = 10;

/** The sums of what a database holds. */
export const sumsOf = async (source: TransferDatabase): Promise<RowSums> => {
  const sums: RowSums = {};
  for await (const { table, bytes } of dumpTables(source))
    sums[table] = (sums[table] ?? 0n) + sumOfRows(bytes).sum;
  return sums;
};
