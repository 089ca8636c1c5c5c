import { spyOn } from "bun:test";
import { type ErrorKind, errorStatus, errorTexts } from "#contract/errors.ts";

/** A request that the page has made; `route` is its method and path, `query` what follows the question mark. */
export type Call = { route: string; query: string; body: unknown; headers: Headers };

/** What a route answers: a body for status 200, a response, or a function of the request that gives either. */
export type Answer = object | ((call: Call) => Response | object | Promise<Response | object>);

/** Answers by method and path, such as `GET /api/admin/users`; the query is part of the request, not of the route. */
export type Answers = Readonly<Record<string, Answer>>;

/** A server that answers from a table. */
export type ScriptedApi = {
  /** Requests so far, without those for what every page asks for. */
  calls: Call[];
  /** Adds answers, or replaces them. */
  answer(answers: Answers): void;
  /** Requests that no one has planned an answer for. */
  unplanned: string[];
  stop(): void;
};

/** Replaces `fetch` until `stop`. Answers in `usual` are what every page asks for. */
export const startScriptedApi = (usual: Answers): ScriptedApi => {
  const table = new Map<string, Answer>(Object.entries(usual));
  const usualRoutes = new Set(table.keys());
  const calls: Call[] = [];
  const unplanned: string[] = [];
  const reply = async (address: unknown, { method = "GET", body, headers }: RequestInit = {}) => {
    const { pathname, search } = new URL(String(address), "http://localhost");
    const call: Call = {
      route: `${method} ${pathname}`,
      query: search.slice(1),
      body: typeof body === "string" ? JSON.parse(body) : body,
      headers: new Headers(headers),
    };
    if (!usualRoutes.has(call.route)) calls.push(call);
    const answer = table.get(call.route);
    if (answer === undefined) {
      unplanned.push(call.route);
      throw new TypeError(`no answer is planned for ${call.route}`);
    }
    const given = typeof answer === "function" ? await answer(call) : answer;
    return given instanceof Response ? given.clone() : Response.json(given);
  };
  const fetched = spyOn(globalThis, "fetch");
  fetched.mockImplementation(Object.assign(reply, { preconnect: () => {} }));
  return {
    calls,
    unplanned,
    answer: (answers) => {
      for (const [route, answer] of Object.entries(answers)) {
        usualRoutes.delete(route);
        table.set(route, answer);
      }
    },
    stop: () => fetched.mockRestore(),
  };
};

/** An error answer as the server sends it; `more` are further members, such as `errors` of a form. */
export const refusal = (code: ErrorKind, message: string = errorTexts[code], more: object = {}): Response =>
  Response.json({ success: false, code, message, ...more }, { status: errorStatus[code] });

/** No answer: the connection is down. */
export const noAnswer = (): never => {
  throw new TypeError("Failed to fetch");
};

/** Holds an answer back until `release` is called. */
export const heldAnswer = (answer: Response | object): { answer: Answer; release: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { answer: () => promise.then(() => answer), release: () => resolve() };
};
