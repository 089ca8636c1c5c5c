import type { TrafficRow } from "../wire.ts";

/** The newest requests on this replica, whatever became of them. */
export type TrafficLog = {
  add(row: Omit<TrafficRow, "number">): void;
  /** Those after a number, oldest first; the newest ones without it. */
  after(number: number | undefined, limit: number): { rows: TrafficRow[]; last: number; missed: number };
};

/** So many requests are kept. */
const keptRows = 1_000;

/** Nothing has come yet. */
export const createTrafficLog = (most: number = keptRows): TrafficLog => {
  const rows: TrafficRow[] = [];
  let count = 0;
  const rowAt = (number: number): TrafficRow[] => {
    const row = rows[number % most];
    return row?.number === number ? [row] : [];
  };
  return {
    add: (row) => {
      count += 1;
      rows[count % most] = { number: count, ...row };
    },
    after: (number, limit) => {
      const oldest = Math.max(1, count - most + 1);
      // A number from before a start of the server is none of this one's.
      const isKnown = number !== undefined && number <= count;
      const wanted = isKnown ? number : count - limit;
      const first = Math.max(oldest, wanted + 1);
      const last = Math.min(count, first + limit - 1);
      const found: TrafficRow[] = [];
      for (let at = first; at <= last; at += 1) found.push(...rowAt(at));
      return { rows: found, last, missed: isKnown ? first - wanted - 1 : 0 };
    },
  };
};
