import type { ArrivingRequest, ResponseShaper } from "#plugins/sdk/native-types.ts";
import type { PerformanceSettings } from "../read-settings.ts";
import { addVary, compressAnswer } from "./compress-answer.ts";
import { readBody } from "./read-body.ts";
import type { ResponseCache } from "./response-cache.ts";
import { type Trial, trialHeader } from "./trial.ts";

type ShaperOptions = {
  settings: () => PerformanceSettings;
  cache: ResponseCache;
  preloadLinks: PreloadLinks;
  trial: Trial;
};

/** What is on for a request, and where its answer may be kept. */
type Terms = { isOn: PerformanceSettings["isOn"]; cache: ResponseCache };

const mostKeptBytes = 2_000_000;
const mostUnderWay = 10_000;
const nothingOn = {
  compression: false,
  cacheLifetimes: false,
  preloadHeaders: false,
  prefetch: false,
  responseCache: false,
};

/** Does to answers what is switched on; while nothing is, and nothing is being measured, answers pass it by. */
export const createShaper = ({ settings, cache, preloadLinks, trial }: ShaperOptions): ResponseShaper => {
  /** How often there had been a purge when a request came. */
  const epochs = new Map<string, number>();

  const termsOf = (request: ArrivingRequest): Terms => {
    const choice = trial.choiceOf(request);
    if (choice === null) return { isOn: settings().isOn, cache };
    const { only } = choice;
    return { isOn: only === null ? nothingOn : { ...nothingOn, [only]: true }, cache: trial.cache };
  };

  const kindFor = (request: ArrivingRequest, isAnonymous: boolean): SharedKind | null => {
    // What is measured does not depend on what was chosen.
    const sharedCalls = trial.choiceOf(request) === null ? settings().sharedCalls : knownCalls;
    return sharedKindOf(request, { isAnonymous, sharedCalls });
  };

  /** Says what the cache had to do with an answer that could have come from there, and counts it. */
  const markCache = (
    { request, response }: { request: ArrivingRequest; response: Response },
    { isMiss, cache: own }: { isMiss: boolean; cache: ResponseCache },
  ): void => {
    const isGet = request.method === "GET" || request.method === "HEAD";
    if (!isGet || !(isMiss || isHtml(request, response) || settings().sharedCalls.has(request.path))) return;
    response.headers.set("x-atrium-cache", isMiss ? "miss" : "bypass");
    own.count(isMiss ? "misses" : "bypassed");
  };

  const keep = async (
    request: ArrivingRequest,
    response: Response,
    { terms, epoch }: { terms: Terms; epoch: number },
  ): Promise<Response> => {
    const { status, headers, body } = response;
    if (body === null) return response;
    const read = await readBody(body, { mostBytes: mostKeptBytes, waitMs: 200 });
    if ("rest" in read) return new Response(read.rest, { status, headers });
    terms.cache.keep(request, { headers, bytes: read.bytes }, epoch);
    return new Response(read.bytes, { status, headers });
  };

  return {
    get isIdle() {
      return !settings().isShaping && !trial.isOpen;
    },
    reuse: (request) => {
      const { isOn, cache: own } = termsOf(request);
      if (!isOn.responseCache || kindFor(request, true) === null) return undefined;
      if (epochs.size >= mostUnderWay) epochs.clear();
      epochs.set(request.id, own.epoch);
      return own.find(request);
    },
    shape: (request, response, { isAnonymous }) => {
      const terms = termsOf(request);
      const { isOn } = terms;
      const epoch = epochs.get(request.id);
      epochs.delete(request.id);
      const { headers, status } = response;
      const choice = trial.choiceOf(request);
      if (choice !== null) headers.set(trialHeader, choice.only ?? "none");
      if (headers.get("x-atrium-cache") === "hit") return undefined;
      const kind = kindFor(request, isAnonymous);
      const mayKeep = kind !== null && maySharedKeep(request, kind, response);
      if (isOn.cacheLifetimes && mayKeep) lengthenLife(headers, kind, settings());
      if (isOn.preloadHeaders && isDocument(request, response)) addLinks(headers, preloadLinks(request.path));
      // Of what a browser has already, it only hears that it is still right.
      const isMiss = mayKeep || (kind !== null && status === 304);
      if (isOn.responseCache) markCache({ request, response }, { isMiss, cache: terms.cache });
      const shaped = isOn.compression ? compressAnswer(request, response) : undefined;
      if (!isOn.responseCache || !mayKeep || request.method !== "GET" || epoch === undefined) return shaped;
      return Promise.resolve(shaped).then((packed) => keep(request, packed ?? response, { terms, epoch }));
    },
  };
};

const isHtml = ({ isCall }: ArrivingRequest, { headers }: Response): boolean =>
  !isCall && headers.get("content-type")?.startsWith("text/html") === true;

const isDocument = (request: ArrivingRequest, response: Response): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  response.status === 200 &&
  isHtml(request, response);

const addLinks = (headers: Headers, links: string | null): void => {
  if (links !== null) headers.append("link", links);
};

type Lifetimes = Pick<PerformanceSettings, "pageSeconds" | "pageStaleSeconds" | "callSeconds">;

/**
 * Lets browsers keep a shared answer for a while. Whoever signs in gets another answer all the same: it depends on cookies
 * and credentials, and says so. What says more than "ask each time" of itself keeps its word.
 */
const lengthenLife = (headers: Headers, kind: SharedKind, lifetimes: Lifetimes): void => {
  const said = headers.get("cache-control") ?? "";
  if (/\bmax-age=[1-9]/i.test(said)) return;
  const { pageSeconds, pageStaleSeconds, callSeconds } = lifetimes;
  const [seconds, staleSeconds] =
    kind === "page" ? [pageSeconds, pageStaleSeconds] : [callSeconds, callSeconds];
  if (seconds === 0) return;
  headers.set("cache-control", `public, max-age=${seconds}, stale-while-revalidate=${staleSeconds}`);
  addVary(headers, "cookie", "authorization");
};

/** Tells the `Link` header of a page's document: what browsers load for it, before they have read the document. */
type PreloadLinks = (path: string) => string | null;

type PageFiles = (path: string) => { scripts: string[]; styles: string[] };

// Header lines of several kilobytes are refused by some proxies.
const mostLinks = 12;
const mostRemembered = 200;
const plainPath = /^\/[\w./~-]+$/;

/** Remembers what it told: pages do not change while the server runs. */
export const createPreloadLinks = (pageFiles: PageFiles): PreloadLinks => {
  const known = new Map<string, string | null>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const { scripts, styles } = pageFiles(path);
    // Scripts come after what the first picture needs: pages can be read without them.
    const links = [
      ...styles.filter((file) => plainPath.test(file)).map((file) => `<${file}>; rel=preload; as=style`),
      ...scripts
        .filter((file) => plainPath.test(file))
        .map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`),
    ];
    const header = links.length === 0 ? null : [...new Set(links)].slice(0, mostLinks).join(", ");
    if (known.size >= mostRemembered) known.clear();
    known.set(path, header);
    return header;
  };
};

/** Answers that are the same for every visitor: documents of public pages, and calls that admins chose. */
type SharedKind = "page" | "call";

type Facts = { isAnonymous: boolean; sharedCalls: ReadonlySet<string> };

/**
 * What kind of shared answer a request may lead to; `null` for everything else: for whoever has a cookie or credentials,
 * and for pages with a query, where tokens stand. Calls of the application that are known take none: with one they would be
 * kept once for each that visitors make up.
 */
const sharedKindOf = (
  { method, path, query, isCall, headers }: ArrivingRequest,
  { isAnonymous, sharedCalls }: Facts,
): SharedKind | null => {
  if (!isAnonymous || (method !== "GET" && method !== "HEAD")) return null;
  // What other origins get has headers of their own.
  if (headers.has("origin") || headers.has("range")) return null;
  if (isCall) return sharedCalls.has(path) && (query === "" || !knownCalls.has(path)) ? "call" : null;
  return query === "" ? "page" : null;
};

/**
 * Calls that the application answers to every visitor alike. That they are not to be stored is what it says of every call;
 * any other call is taken at its word.
 */
const knownCalls: ReadonlySet<string> = new Set([
  "/api/plugins",
  "/api/plugins/site-scripts",
  "/swagger/json",
]);

/** Whether an answer may be kept for others, by what it says itself. */
const maySharedKeep = ({ path }: ArrivingRequest, kind: SharedKind, response: Response): boolean => {
  const { status, headers } = response;
  if (status !== 200 || headers.has("set-cookie") || headers.get("vary")?.trim() === "*") return false;
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  const said = headers.get("cache-control") ?? "";
  if (/\bprivate\b/i.test(said)) return false;
  if (kind === "page") return isPage && !/\bno-store\b/i.test(said);
  return knownCalls.has(path) || /\b(?:public|max-age=[1-9])/i.test(said);
};
