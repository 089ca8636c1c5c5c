import type { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import type { Exchange } from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { failureOf, toAppError } from "./errors.ts";
import type { CorsRule } from "./origin.ts";
import { type CallObserver, logAccess, recordCall } from "./recorded-call.ts";
import { apiHeaders, removeHardening } from "./security-headers.ts";

/** Sends every response, wherever it was made. */
export type Answers = {
  /** Adds the common headers and records the request. */
  finish(exchange: Exchange, response: Response): Response;
  /**
   * Responds with a failure; `more` are additional headers. Redirects browsers where the route has a `failurePath`, unless the
   * path leads nowhere.
   */
  refuse(exchange: Exchange, thrown: unknown, more?: Record<string, string>): Response;
  /** Responds that a plugin stopped the request; `x-atrium-block` is the id to look up in the log. */
  stop(exchange: Exchange, verdict: Verdict): Response;
  /** Answers a CORS preflight for pages of a listed origin. */
  answerPreflight(exchange: Exchange, path: { template: string; allow: string[] }): Response;
};

export type AnswersOptions = {
  services: Services;
  cors: CorsRule;
  isHttps: boolean;
  isDraining: () => boolean;
  /** `null` without metrics and traces. */
  observer?: CallObserver | null;
};

/** Creates them for one installation. */
export const createAnswers = ({
  services,
  cors,
  isHttps,
  isDraining,
  observer = null,
}: AnswersOptions): Answers => {
  const headers = apiHeaders(isHttps);

  const finish = (exchange: Exchange, response: Response): Response => {
    const { switches, limitHeaders } = exchange;
    const sent = response.headers;
    sent.set("x-request-id", exchange.requestId);
    for (const cookie of exchange.cookies.toSend()) {
      sent.append("set-cookie", cookie);
      // A plugin's response may be cached, but not with a user's session cookie.
      if (exchange.route?.plugin) sent.set("cache-control", "no-store");
    }
    if (limitHeaders !== null) {
      sent.set("RateLimit", limitHeaders.RateLimit);
      sent.set("RateLimit-Policy", limitHeaders["RateLimit-Policy"]);
    }
    // A response under a host name that isn't ours never gets CORS headers.
    if (exchange.isCall && exchange.isOurs && switches.corsEnabled) cors.mark(exchange.request, sent);
    if (!switches.helmetEnabled) removeHardening(sent);
    // After a 408, the rest of the body may keep trickling in forever.
    if (isDraining() || response.status === 408) sent.set("connection", "close");
    logAccess(services.log, exchange, response.status);
    recordCall(services, exchange, response.status);
    observer?.answered(exchange, response.status);
    return response;
  };

  const sendBack = (exchange: Exchange, location: string, { kind }: AppError): Response => {
    const { requestId, label } = exchange;
    services.log.warn("a browser was sent back", { requestId, route: label, reason: kind });
    return finish(exchange, Response.json({ location }, { status: 302, headers: { ...headers, location } }));
  };

  const refuse: Answers["refuse"] = (exchange, thrown, more = {}) => {
    const error = toAppError(thrown, "", exchange.requestId, services.log);
    exchange.trace.failure = error.kind;
    const challenge = exchange.bearer?.challenge ?? challengeOf(exchange, error);
    const wanted = challenge === null ? {} : { "www-authenticate": challenge };
    if (exchange.failurePath !== null && exchange.bearer === null && error.kind !== "NOT_FOUND")
      return sendBack(exchange, exchange.failurePath, error);
    const { status, body, headers: own } = failureOf(error, exchange.requestId);
    return finish(
      exchange,
      Response.json(body, { status, headers: { ...headers, ...own, ...wanted, ...more } }),
    );
  };

  return {
    finish,
    refuse,
    stop: (exchange, verdict) => {
      const mark = { "x-atrium-block": exchange.requestId };
      if ("response" in verdict) return finish(exchange, hardened(verdict.response, { ...headers, ...mark }));
      const { refusal } = verdict;
      if (exchange.isCall) return refuse(exchange, refusal, mark);
      const { status, headers: own } = failureOf(refusal, exchange.requestId);
      exchange.trace.failure = refusal.kind;
      const page = blockedPage(refusal.message, exchange.requestId);
      const type = { "content-type": "text/html; charset=utf-8" };
      return finish(
        exchange,
        new Response(page, { status, headers: { ...headers, ...own, ...mark, ...type } }),
      );
    },
    answerPreflight: (exchange, { template, allow }) => {
      exchange.label = template;
      return finish(exchange, cors.answerPreflight(allow, headers));
    },
  };
};

/** What a handler returned, as far as a response is made of it. */
type Returned = { response: unknown; set: { status?: number | string; headers: Record<string, unknown> } };

/** Makes responses of what handlers return: an own one keeps the headers that it sets, everything else is sent as JSON. */
export const createResponseMap = (isHttps: () => boolean) => {
  // Made once: to copy headers costs a third of what it costs to make them from ten strings.
  let made: Headers | null = null;
  return ({ response, set }: Returned): Response => {
    made ??= new Headers(apiHeaders(isHttps()));
    if (response instanceof Response) {
      for (const [name, value] of made) if (!response.headers.has(name)) response.headers.set(name, value);
      return response;
    }
    const answer = Response.json(response, { status: Number(set.status ?? 200), headers: made });
    for (const [name, value] of Object.entries(set.headers)) answer.headers.set(name, String(value));
    return answer;
  };
};

/** The challenge where only tokens may call. Source: RFC 9110 §11.6.1. */
const challengeOf = ({ route }: Exchange, { kind }: AppError): string | null =>
  kind === "NOT_SIGNED_IN" && route?.isForTokens === true ? "Bearer" : null;

/** A copy of a response, with the headers that it does not set itself. */
const hardened = (response: Response, headers: Record<string, string>): Response => {
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers))
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  return copy;
};

/** The page that a blocked visitor sees instead of an envelope. */
const blockedPage = (message: string, id: string): string =>
  [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${Bun.escapeHTML(message)}</title><h1>${Bun.escapeHTML(message)}</h1><p>Id: ${id}</p></html>`,
  ].join("");

/** Continues synchronously where there is nothing to wait for: most requests need no promise. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
