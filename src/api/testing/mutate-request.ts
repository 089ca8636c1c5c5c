import { manyHostileTexts as hostileTexts } from "./many-hostile-texts.ts";
import type { Random } from "./random.ts";
import { bytesOf, type WireBody } from "./raw-call.ts";

/** A request as it is sent, but for who sends it. */
export type WildRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: WireBody;
};

/** A good call: what is changed at random. What comes as bytes stays as it is. */
export type GoodCall = {
  method: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
  bytes?: Uint8Array<ArrayBuffer>;
};

type Draft = {
  method: string;
  path: string;
  query: string[];
  headers: Record<string, string>;
  body: unknown;
};
type Change = (random: Random, draft: Draft) => void;

const ownOrigin = "http://localhost:3000";

/** A good call as it is sent. */
export const wholeRequest = (good: GoodCall): WildRequest => asRequest(draftOf(good), good);

/** Spoils a good call in one to four ways. */
export const mutateRequest = (random: Random, good: GoodCall): WildRequest => {
  const draft = draftOf(good);
  const changes = 1 + random.below(4);
  for (let change = 0; change < changes; change += 1) random.pick(allChanges)(random, draft);
  return asRequest(draft, good, (text) => spoilBytes(random, text));
};

const draftOf = (good: GoodCall): Draft => ({
  method: good.method,
  path: good.path,
  query: Object.entries(good.query ?? {}).map(([key, value]) => `${key}=${encodeURIComponent(value)}`),
  headers: {
    origin: ownOrigin,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
    ...good.headers,
  },
  body: structuredClone(good.body),
});

const asRequest = (
  { method, path, query, headers, body }: Draft,
  { bytes }: GoodCall,
  spoil: (text: string) => WireBody = (text) => text,
): WildRequest => {
  const isBare = ["GET", "HEAD"].includes(method) || (body === undefined && bytes === undefined);
  return {
    method,
    path: query.length > 0 ? `${path}?${query.join("&")}` : path,
    headers,
    body: isBare ? null : (bytes ?? spoil(JSON.stringify(body))),
  };
};

const value = (random: Random, depth = 0): unknown =>
  random.pick<() => unknown>([
    () => random.pick(hostileTexts),
    () => random.pick(hostileTexts) + random.pick(hostileTexts),
    () => random.pick([0, -1, 1.5, 2 ** 53, -1e308, 7]),
    () => random.pick([true, false, null]),
    () => (depth > 2 ? [] : Array.from({ length: random.below(4) }, () => value(random, depth + 1))),
    () => (depth > 2 ? {} : { [random.pick(hostileTexts)]: value(random, depth + 1) }),
    () => ({ toString: value(random, 3), valueOf: null, length: -1 }),
  ])();

const someKey = (random: Random, body: object): string => {
  const keys = Object.keys(body);
  return keys[random.below(keys.length)] ?? "email";
};

const changeBody: Change = (random, draft) => {
  const { body } = draft;
  if (typeof body !== "object" || body === null || Array.isArray(body) || random.once(12)) {
    draft.body = value(random);
    return;
  }
  const key = someKey(random, body);
  const shape = { enumerable: true, configurable: true, writable: true };
  // An assignment to `__proto__` would be no member.
  const write = (name: string) => Object.defineProperty(body, name, { ...shape, value: value(random) });
  random.pick<() => void>([
    () => void write(key),
    () => void write(key),
    () => void Reflect.deleteProperty(body, key),
    () => void write(random.pick(hostileTexts)),
    () => void write(random.pick(["role", "isAdmin", "id", "__proto__", "constructor", "emailVerified"])),
  ])();
};

const changeQuery: Change = (random, draft) => {
  const key = random.pick([
    "limit",
    "offset",
    "search",
    "search",
    "limit[]",
    "order",
    random.pick(hostileTexts),
  ]);
  const text = random.pick(hostileTexts).toWellFormed();
  const raw = random.once(3)
    ? random.pick(["%00", "%00", "%", "%zz", "%ff", "%c0%af", "a=b", "&&", "+"])
    : encodeURIComponent(text);
  // Mostly in the place of the good one: what comes twice is refused before it is looked at.
  if (!random.once(4)) draft.query = draft.query.filter((pair) => !pair.startsWith(`${key}=`));
  draft.query.push(`${encodeURIComponent(key.toWellFormed())}=${raw}`);
};

const changePath: Change = (random, draft) => {
  const { path } = draft;
  draft.path = random.pick([
    `${path}/`,
    `${path}/${encodeURIComponent(random.pick(hostileTexts).toWellFormed())}`,
    path.slice(0, random.below(path.length) + 1),
    path.toUpperCase(),
    path.replace("/api", "//api"),
    path.replace("/api", "/api/."),
    path.replace("/api/", "/api/%2e%2e/"),
    path.replace(/[^/]+$/, random.pick(["..", "*", ":id", "%2f", "%00", ";x", "__proto__", "constructor"])),
    `/${"a/".repeat(random.below(900))}`,
  ]);
};

const changeMethod: Change = (random, draft) => {
  draft.method = random.pick([
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PROPFIND",
    "PURGE",
  ]);
};

const headerNames = [
  "content-type",
  "origin",
  "sec-fetch-site",
  "sec-purpose",
  "host",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "forwarded",
  "authorization",
  "cookie",
  "user-agent",
  "accept",
  "accept-encoding",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "expect",
  "range",
  "if-none-match",
  "via",
  "x-request-id",
] as const;

const headerValues = [
  "application/json; charset=utf-16",
  "application/json; charset=utf-8",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "text/plain",
  "null",
  "https://evil.example",
  ownOrigin,
  "cross-site",
  "same-origin",
  "none",
  "evil.example",
  "localhost:3000",
  "localhost:99999",
  "[::1",
  "127.0.0.1, ::ffff:10.0.0.1, unknown",
  "Bearer atr_x",
  "sid=x; sid=y; sid=__proto__",
  `sid=${"A".repeat(43)}`,
  "sid=%00%ff",
  "gzip;q=x, *;q=0, br",
  "-1",
  "1000001",
  "100-continue",
  "bytes=0-,5-1",
  "DELETE",
  "testing",
  "a".repeat(9_000),
] as const;

const changeHeader: Change = (random, draft) => {
  const name = random.pick(headerNames);
  if (random.once(6)) delete draft.headers[name];
  else if (random.once(3)) draft.headers[name] = asHeader(random.pick(hostileTexts));
  else draft.headers[name] = random.pick(headerValues);
};

// No client can send anything else in a header.
const asHeader = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "\xff").trim();

const allChanges = [
  changeBody,
  changeBody,
  changeBody,
  changeBody,
  changeQuery,
  changePath,
  changeMethod,
  changeHeader,
  changeHeader,
] as const;

const spoilBytes = (random: Random, text: string): WireBody => {
  if (!random.once(6)) return text;
  const at = random.below(text.length + 1);
  const [front, back] = [text.slice(0, at), text.slice(at)];
  return random.pick<() => WireBody>([
    () => front,
    () => `${front}${random.pick(hostileTexts)}${back}`,
    () => bytesOf(front, [random.below(256)], back),
    () => bytesOf([0xef, 0xbb, 0xbf], text),
    () => text + text,
    () => `${'{"a":'.repeat(random.below(3_000))}${text}`,
    () => "[".repeat(random.below(200_000)),
    () => new Uint8Array(Array.from({ length: random.below(200) }, () => random.below(256))),
  ])();
};
