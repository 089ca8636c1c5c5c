import type { TrafficData, TrafficRow, Verdict } from "../../backend/wire.ts";

/** The requests on show, newest first, and those that wait until nobody is pointing at them. */
export type TrafficFeed = {
  rows: TrafficRow[];
  waiting: TrafficRow[];
  /** Where to go on; `null` for the beginning. */
  after: string | null;
  /** How many went by unseen. */
  missed: number;
};

/** As before anything came. */
export const noTraffic: TrafficFeed = { rows: [], waiting: [], after: null, missed: 0 };

/** How many are kept: what is older is read in the journal. */
export const mostKept = 500;

/** The feed with what came in. While `isHeld` no row moves: what is new waits. */
export const arrived = (
  feed: TrafficFeed,
  { rows, cursor, missed }: TrafficData,
  isHeld: boolean,
): TrafficFeed => {
  const known = new Set([...feed.rows, ...feed.waiting].map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !known.has(id)).reverse();
  const waiting = [...fresh, ...feed.waiting].sort(byTime).slice(0, mostKept);
  const next = { after: cursor, missed: feed.missed + missed };
  return isHeld ? { ...next, rows: feed.rows, waiting } : caughtUp({ ...feed, ...next, waiting });
};

/** The feed with what waited on show. */
export const caughtUp = (feed: TrafficFeed): TrafficFeed => ({
  ...feed,
  rows: [...feed.waiting, ...feed.rows].sort(byTime).slice(0, mostKept),
  waiting: [],
});

/** Newest first: what other servers tell comes a second later. */
const byTime = (one: TrafficRow, other: TrafficRow): number => Date.parse(other.at) - Date.parse(one.at);

/** What narrows the traffic down: `null` and the empty text let everything through. `hidesNoise`: files, and what the admin area asks for. */
export type TrafficFilter = { verdict: Verdict | null; search: string; hidesNoise: boolean };

/** The rows that the filter lets through; it looks for its text in addresses, paths, names and reasons. */
export const filterRows = (
  rows: readonly TrafficRow[],
  { verdict, search, hidesNoise }: TrafficFilter,
): TrafficRow[] => {
  const wanted = search.toLowerCase();
  return rows.filter(
    (row) =>
      (verdict === null || row.verdict === verdict) &&
      !(hidesNoise && isNoise(row)) &&
      (wanted === "" || textOf(row).toLowerCase().includes(wanted)),
  );
};

const filePath =
  /^\/assets\/|^\/favicon|^\/api\/plugins\/[^/]+\/assets\/|\.(?:m?js|css|map|woff2?|ico|png|svg|jpe?g|gif|webp|avif|webmanifest)$/;
const adminPath = /^\/(?:api|admin)(?:\/|$)/;
const hostPath = /^\/api\/(?:firewall|plugin-host)(?:\/|$)/;

// Whoever looks at the firewall asks it something every other second. A file that is not there is looked for by
// somebody who guesses: that is shown.
const isNoise = ({ verdict, path, role, status }: TrafficRow): boolean => {
  if (verdict !== "passed") return false;
  const isFile = status < 400 && filePath.test(path);
  return isFile || hostPath.test(path) || (role === "admin" && adminPath.test(path));
};

const textOf = ({ id, address, country, method, path, user, reasons }: TrafficRow): string =>
  [id, address, country ?? "", `${method} ${path}`, user ?? "", ...reasons].join("\n");
