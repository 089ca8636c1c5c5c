import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import type { CacheState } from "../wire.ts";

/** Answers of this server that are kept for the next visitor. */
export type ResponseCache = {
  /** The kept answer to a request, ready to be sent; `undefined` where there is none. */
  find(request: ArrivingRequest): Response | undefined;
  /**
   * Keeps an answer that was read whole. `epoch` is what {@link ResponseCache.epoch} was when its request came: what was
   * answered before a purge is not kept after it.
   */
  keep(
    request: ArrivingRequest,
    answer: { headers: Headers; bytes: Uint8Array<ArrayBuffer> },
    epoch: number,
  ): void;
  /** Forgets everything, or all there is of a path; tells how many answers that were. */
  purge(path?: string): number;
  /** Grows with each purge. */
  readonly epoch: number;
  /** Counts a request that could have been answered from here, and was not. */
  count(what: "misses" | "bypassed"): void;
  state(): Omit<CacheState, "isOn">;
};

type Kept = {
  id: number;
  path: string;
  /** Headers of the request that the answer depends on, as they were. */
  vary: [name: string, value: string | null][];
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
  at: number;
  hits: number;
};

type CacheOptions = { now: () => number; limits: () => { ttlMs: number; mostBytes: number } };

const mostEntries = 500;
const mostVariants = 8;
// Of one path, whatever queries visitors make up: so that they cannot push out other pages.
const mostOfPath = 50;
const overheadBytes = 1_000;
const mostShown = 50;
// What belongs to one request alone.
const ofOneRequest =
  /^(?:set-cookie|connection|date|age|content-length|x-request-id|x-atrium-.*|ratelimit.*|x-ratelimit.*)$/i;

/** Begins empty. What was asked for longest ago goes first when there is no more room. */
export const createResponseCache = ({ now, limits }: CacheOptions): ResponseCache => {
  // In the order in which they were last used; variants of an address stand together.
  const kept = new Map<string, Kept[]>();
  const counts = { hits: 0, misses: 0, bypassed: 0 };
  let epoch = 0;
  let bytes = 0;
  let entries = 0;
  let lastId = 0;

  const drop = (key: string, one: Kept): void => {
    const rest = (kept.get(key) ?? []).filter((other) => other !== one);
    bytes -= one.bytes.byteLength + overheadBytes;
    entries -= 1;
    if (rest.length === 0) kept.delete(key);
    else kept.set(key, rest);
  };

  const makeRoom = (): void => {
    for (const [key, variants] of kept) {
      if (entries <= mostEntries && bytes <= limits().mostBytes) return;
      for (const one of variants) drop(key, one);
    }
  };

  const makeRoomOfPath = (path: string): void => {
    const same = [...kept].flatMap(([key, variants]) =>
      variants.filter((one) => one.path === path).map((one) => ({ key, one })),
    );
    for (const { key, one } of same.slice(0, Math.max(0, same.length - mostOfPath))) drop(key, one);
  };

  const isFresh = ({ at }: Kept): boolean => now() - at < limits().ttlMs;

  return {
    get epoch() {
      return epoch;
    },
    count: (what) => {
      counts[what] += 1;
    },
    find: (request) => {
      const key = keyOf(request);
      const variants = kept.get(key);
      const one = variants?.find(({ vary }) =>
        vary.every(([name, value]) => request.headers.get(name) === value),
      );
      if (variants === undefined || one === undefined) return undefined;
      if (!isFresh(one)) {
        drop(key, one);
        return undefined;
      }
      kept.delete(key);
      kept.set(key, variants);
      one.hits += 1;
      counts.hits += 1;
      return answerFrom(one, request, Math.floor((now() - one.at) / 1_000));
    },
    keep: (request, answer, since) => {
      const names = varyOf(answer.headers);
      if (since !== epoch || names === null || answer.bytes.byteLength > limits().mostBytes / 4) return;
      const vary = names.map((name): [string, string | null] => [name, request.headers.get(name)]);
      const key = keyOf(request);
      const variants = kept.get(key) ?? [];
      const old = variants.filter(
        (one) =>
          one.vary.length === vary.length &&
          one.vary.every(([name, value]) => request.headers.get(name) === value),
      );
      for (const one of old) drop(key, one);
      const rest = kept.get(key) ?? [];
      const [oldest] = rest;
      if (rest.length >= mostVariants && oldest !== undefined) drop(key, oldest);
      const headers = new Headers(answer.headers);
      for (const name of [...headers.keys()]) if (ofOneRequest.test(name)) headers.delete(name);
      lastId += 1;
      const one = { id: lastId, path: request.path, vary, headers, bytes: answer.bytes, at: now(), hits: 0 };
      kept.set(key, [...(kept.get(key) ?? []), one]);
      bytes += one.bytes.byteLength + overheadBytes;
      entries += 1;
      makeRoomOfPath(request.path);
      makeRoom();
    },
    purge: (path) => {
      epoch += 1;
      const before = entries;
      for (const [key, variants] of [...kept])
        for (const one of variants) if (path === undefined || one.path === path) drop(key, one);
      return before - entries;
    },
    state: () => {
      const all = [...kept.values()].flat().filter(isFresh);
      return {
        entries: all.length,
        bytes: all.reduce((sum, one) => sum + one.bytes.byteLength, 0),
        mostBytes: limits().mostBytes,
        ...counts,
        kept: all
          .sort((a, b) => b.hits - a.hits)
          .slice(0, mostShown)
          .map(({ id, path, hits, bytes: { byteLength }, at }) => ({
            id,
            path,
            hits,
            bytes: byteLength,
            ageSeconds: Math.floor((now() - at) / 1_000),
          })),
      };
    },
  };
};

/** Names can be told by several hosts, and queries lead to other answers. */
const keyOf = ({ path, query, headers }: ArrivingRequest): string =>
  `${headers.get("host") ?? ""} ${path}?${query}`;

/** Headers that an answer depends on; `null` where it depends on everything. Cookies and credentials are never there. */
const varyOf = (headers: Headers): string[] | null => {
  const names = (headers.get("vary") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  return names.includes("*") ? null : names;
};

const answerFrom = (
  { headers: own, bytes }: Kept,
  { method, headers }: ArrivingRequest,
  age: number,
): Response => {
  const sent = new Headers(own);
  sent.set("age", String(age));
  sent.set("x-atrium-cache", "hit");
  const known = headers.get("if-none-match");
  const etag = own.get("etag");
  if (known !== null && etag !== null && isNamed(known, etag)) {
    sent.delete("content-encoding");
    return new Response(null, { status: 304, headers: sent });
  }
  if (method === "GET") return new Response(bytes, { headers: sent });
  sent.set("content-length", String(bytes.byteLength));
  return new Response(null, { headers: sent });
};

/** Whether an `If-None-Match` header names the entity tag; weak marks do not matter here. Source: RFC 9110 §13.1.2. */
const isNamed = (header: string, etag: string): boolean => {
  const plain = (tag: string) => tag.trim().replace(/^W\//, "");
  return header === "*" || header.split(",").some((tag) => plain(tag) === plain(etag));
};
