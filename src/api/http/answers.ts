import type { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import type { Passage } from "#api/door/passage.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { type CallObserver, logAccess } from "./call-observer.ts";
import { failureOf, toAppError } from "./errors.ts";
import { isForTokens } from "./identity.ts";
import { noteCall } from "./noted-call.ts";
import type { CorsRule } from "./origin.ts";
import { apiHeaders, removeHardening } from "./security-headers.ts";

/** The ways in which every answer leaves, whoever made it. */
export type Answers = {
  /** Puts on the answer what belongs to every one, and writes the call down. */
  finish(passage: Passage, response: Response): Response;
  /** Answers with what went wrong, `more` being further headers; a browser that was led here is sent back. */
  refuse(passage: Passage, thrown: unknown, more?: Record<string, string>): Response;
  /** Answers in a plugin's name that a request goes no further; `x-atrium-block` is where the log says why. */
  stop(passage: Passage, verdict: Verdict): Response;
  /** Tells a browser what pages of a listed origin may send to a path. */
  answerPreflight(passage: Passage, path: { template: string; allow: string[] }): Response;
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

  const finish = (passage: Passage, response: Response): Response => {
    const { switches, standing } = passage;
    const sent = response.headers;
    sent.set("x-request-id", passage.requestId);
    for (const cookie of passage.cookies.toSend()) {
      sent.append("set-cookie", cookie);
      // A plugin may want its answer kept, but not somebody's session with it.
      if (passage.route?.plugin) sent.set("cache-control", "no-store");
    }
    if (standing !== null) {
      sent.set("RateLimit", standing.RateLimit);
      sent.set("RateLimit-Policy", standing["RateLimit-Policy"]);
    }
    // What goes to another host's name is no answer of ours, and nobody is let in to it.
    if (passage.isCall && passage.isOurs && switches.corsEnabled) cors.mark(passage.request, sent);
    if (!switches.helmetEnabled) removeHardening(sent);
    // After 408 the rest of the body may go on dripping in for ever.
    if (isDraining() || response.status === 408) sent.set("connection", "close");
    logAccess(services.log, passage, response.status);
    noteCall(services, passage, response.status);
    observer?.answered(passage, response.status);
    return response;
  };

  const sendBack = (passage: Passage, location: string, { kind }: AppError): Response => {
    const { requestId, label } = passage;
    services.log.warn("a browser was sent back", { requestId, route: label, reason: kind });
    return finish(passage, Response.json({ location }, { status: 302, headers: { ...headers, location } }));
  };

  const refuse: Answers["refuse"] = (passage, thrown, more = {}) => {
    const error = toAppError(thrown, "", passage.requestId, services.log);
    passage.trace.failure = error.kind;
    const challenge = passage.bearer?.challenge ?? challengeOf(passage, error);
    const wanted = challenge === null ? {} : { "www-authenticate": challenge };
    if (passage.failurePath !== null && passage.bearer === null)
      return sendBack(passage, passage.failurePath, error);
    const { status, body, headers: own } = failureOf(error, passage.requestId);
    return finish(
      passage,
      Response.json(body, { status, headers: { ...headers, ...own, ...wanted, ...more } }),
    );
  };

  return {
    finish,
    refuse,
    stop: (passage, verdict) => {
      const mark = { "x-atrium-block": passage.requestId };
      if ("response" in verdict) return finish(passage, hardened(verdict.response, { ...headers, ...mark }));
      const { refusal } = verdict;
      if (passage.isCall) return refuse(passage, refusal, mark);
      const { status, headers: own } = failureOf(refusal, passage.requestId);
      passage.trace.failure = refusal.kind;
      const page = blockedPage(refusal.message, passage.requestId);
      const type = { "content-type": "text/html; charset=utf-8" };
      return finish(
        passage,
        new Response(page, { status, headers: { ...headers, ...own, ...mark, ...type } }),
      );
    },
    answerPreflight: (passage, { template, allow }) => {
      passage.label = template;
      return finish(passage, cors.answerPreflight(allow, headers));
    },
  };
};

/** What somebody without a token is told where only tokens may call. Source: RFC 9110 §11.6.1. */
const challengeOf = ({ route }: Passage, { kind }: AppError): string | null =>
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
