import type { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import type { Exchange } from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { type CallObserver, logAccess } from "./call-observer.ts";
import { failureOf, toAppError } from "./errors.ts";
import { isForTokens } from "./identity.ts";
import type { CorsRule } from "./origin.ts";
import { recordCall } from "./recorded-call.ts";
import { apiHeaders, removeHardening } from "./security-headers.ts";

/** The ways in which every answer leaves, whoever made it. */
export type Answers = {
  /** Puts on the answer what belongs to every one, and writes the call down. */
  finish(exchange: Exchange, response: Response): Response;
  /** Answers with what went wrong, `more` being further headers; a browser that was led here is sent back. */
  refuse(exchange: Exchange, thrown: unknown, more?: Record<string, string>): Response;
  /** Answers in a plugin's name that a request goes no further; `x-atrium-block` is where the log says why. */
  stop(exchange: Exchange, verdict: Verdict): Response;
  /** Tells a browser what pages of a listed origin may send to a path. */
  answerPreflight(exchange: Exchange, path: { template: string; allow: string[] }): Response;
};

export type AnswersOptions = {
  services: Services;
  cors: CorsRule;
  isHttps: boolean;
  isDraining: () => boolean;
  /** `null` where nobody wants to know. */
  observer?: CallObserver | null;
};

/** Makes them for one installation. */
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
      // A plugin may want its answer kept, but not somebody's session with it.
      if (exchange.route?.plugin) sent.set("cache-control", "no-store");
    }
    if (limitHeaders !== null) {
      sent.set("RateLimit", limitHeaders.RateLimit);
      sent.set("RateLimit-Policy", limitHeaders["RateLimit-Policy"]);
    }
    // What goes to another host's name is no answer of ours, and nobody is let in to it.
    if (exchange.isCall && exchange.isOurs && switches.corsEnabled) cors.mark(exchange.request, sent);
    if (!switches.helmetEnabled) removeHardening(sent);
    // After 408 the rest of the body may go on dripping in for ever.
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
    if (exchange.failurePath !== null && exchange.bearer === null)
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

/** What somebody without a token is told where only tokens may call. Source: RFC 9110 §11.6.1. */
const challengeOf = ({ route }: Exchange, { kind }: AppError): string | null =>
  kind === "NOT_SIGNED_IN" && route !== null && isForTokens(route) ? "Bearer" : null;

/** A copy of somebody else's answer, with the headers that it does not set itself. */
const hardened = (response: Response, headers: Record<string, string>): Response => {
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers))
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  return copy;
};

/** What somebody sees whose page was blocked: words in place of an envelope. */
const blockedPage = (message: string, id: string): string =>
  [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${Bun.escapeHTML(message)}</title><h1>${Bun.escapeHTML(message)}</h1><p>Id: ${id}</p></html>`,
  ].join("");

/** Goes on at once where nothing has to be waited for: most calls touch no promise. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
