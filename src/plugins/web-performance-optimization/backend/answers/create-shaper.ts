import type { ArrivingRequest, ResponseShaper } from "#plugins/sdk/native-types.ts";
import type { PerformanceSettings } from "../read-settings.ts";
import { knownCalls, maySharedKeep, type SharedKind, sharedKindOf } from "./answer-kind.ts";
import { compressAnswer } from "./compress-answer.ts";
import { lengthenLife } from "./lengthen-life.ts";
import type { PreloadLinks } from "./preload-links.ts";
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
