import type { Json, Kv } from "#plugins/sdk/types.ts";
import type { Finished } from "../inspect/inspector.ts";
import { roleOf, type Shown } from "../journal/journal.ts";
import { createPublished } from "../stored.ts";
import { anyNumber, fits, fittingIn, list, object, shape } from "../wire/shape.ts";
import { type TrafficData, type TrafficRow, trafficRow } from "../wire/watch.ts";

type Page = Pick<TrafficData, "rows" | "last" | "cursor" | "missed">;

/** Rows in a row: the first one has this number on its server. */
type Run = { first: number; rows: TrafficRow[] };

/** So many requests are kept. */
const keptRows = 1_000;
const shownRows = 200;
// A stored value has 64 KB.
const mostBytes = 60_000;
const askEveryMs = 5_000;
const watchedMs = 15_000;
const publishedMs = 60_000;
const shownReasons = 3;

export type TrafficLogParts = {
  kv: Pick<Kv, "get" | "set" | "list">;
  replica: string;
  now(): number;
  /** Asks the others to show theirs. */
  ask(): void;
  most?: number;
};

/** The newest requests on all servers, with any verdict. Nothing has come yet. */
export const createTrafficLog = ({ kv, replica, now, ask, most = keptRows }: TrafficLogParts) => {
  const published = createPublished(kv, { name: "traffic", replica, ttlMs: publishedMs });
  const ring: TrafficRow[] = [];
  let count = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let watchedAt = Number.NEGATIVE_INFINITY;
  let publishedCount = 0;

  const newest = (limit: number): Run => {
    const first = Math.max(1, count - Math.min(limit, most) + 1);
    const rows = Array.from({ length: count - first + 1 }, (_, at) => ring[(first + at) % most]);
    return { first, rows: rows.filter((row) => row !== undefined) };
  };

  return {
    add: (row: TrafficRow) => {
      count += 1;
      ring[count % most] = row;
    },
    /**
     * Those after a cursor, oldest first; without one the newest. The others show theirs about a second after they are asked
     * to. A number in place of a cursor means those of this server after that one.
     * Throws what the store throws.
     */
    after: async (cursor: string | undefined, limit: number): Promise<Page> => {
      const { own } = published;
      const runs = new Map([[own, newest(most)]]);
      if (/^\d{1,12}$/.test(cursor ?? ""))
        return pageOf(runs, { before: new Map([[own, Number(cursor)]]), limit, own });
      for (const [server, value] of await published.others()) {
        const run = readRun(value);
        if (run !== null) runs.set(server, run);
      }
      return pageOf(runs, { before: readCursor(cursor), limit, own });
    },
    /** Someone looks at the traffic: the others are asked to show theirs for a while. */
    watch: () => {
      if (now() - askedAt < askEveryMs) return;
      askedAt = now();
      ask();
    },
    /** Another server asked for it. */
    watched: () => {
      watchedAt = now();
    },
    /** Shows what is new here, if someone looks. Throws what the store throws. */
    publish: async () => {
      if (now() - watchedAt > watchedMs || publishedCount === count) return;
      const upTo = count;
      await published.publish(fitting(newest(shownRows)));
      publishedCount = upTo;
    },
  };
};

/** As many of the newest as fit into one value. */
const fitting = ({ first, rows }: Run): Json => {
  const value = { first, rows } satisfies Json;
  if (rows.length < 2 || Buffer.byteLength(JSON.stringify(value)) <= mostBytes) return value;
  const half = Math.ceil(rows.length / 2);
  return fitting({ first: first + half, rows: rows.slice(half) });
};

/** The next rows of all servers by time, and where each of them goes on. */
const pageOf = (
  runs: ReadonlyMap<string, Run>,
  { before, limit, own }: { before: ReadonlyMap<string, number> | null; limit: number; own: string },
): Page => {
  const positions = new Map<string, number>();
  let missed = 0;
  const fresh = [...runs].flatMap(([server, { first, rows }]) => {
    const last = first + rows.length - 1;
    // A server that is new to whoever asks shows its newest.
    const position = before?.get(server) ?? Math.max(first - 1, last - limit);
    if (first - position > 1) missed += first - position - 1;
    positions.set(server, Math.min(position, last));
    return rows.slice(Math.max(0, position - first + 1)).map((row, at) => {
      return { server, row, number: Math.max(first, position + 1) + at };
    });
  });
  fresh.sort((one, other) => Date.parse(one.row.at) - Date.parse(other.row.at));
  const given = before === null ? fresh.slice(-limit) : fresh.slice(0, limit);
  for (const { server, number } of before === null ? fresh : given)
    positions.set(server, Math.max(number, positions.get(server) ?? 0));
  return {
    rows: given.map(({ row, number }) => ({ ...row, number })),
    last: positions.get(own) ?? 0,
    cursor: [...positions].map(([server, number]) => `${server}:${number}`).join(","),
    missed,
  };
};

/** Where whoever asks has come to on each server; `null` at the beginning. What is no cursor is the beginning of one. */
const readCursor = (text: string | undefined): Map<string, number> | null => {
  if (text === undefined) return null;
  const found = text.matchAll(/([A-Za-z0-9]{1,12}):(\d{1,12})/g);
  return new Map([...found].map(([, server = "", number]) => [server, Number(number)]));
};

/** One of another version shows nothing. */
const readRun = (value: unknown): Run | null =>
  fits(storedRun, value) ? { first: value.first, rows: fittingIn(trafficRow, value.rows) } : null;

const storedRun = object({ first: anyNumber, rows: list(shape<unknown>({})) });

/** A request for the live traffic. */
export const toRow = (finished: Finished, shown: Shown): TrafficRow => {
  const { request, note, outcome, atMs } = finished;
  return {
    id: request.id,
    at: new Date(atMs).toISOString(),
    verdict: note.verdict,
    address: shown.address,
    country: shown.country,
    method: shown.method,
    path: shown.path,
    user: (outcome.user ?? note.admin)?.name ?? null,
    role: roleOf(finished),
    status: outcome.status,
    durationMs: Math.round(outcome.durationMs * 10) / 10,
    reasons: note.reasons.slice(0, shownReasons).map(({ text }) => text.slice(0, 160)),
  };
};
