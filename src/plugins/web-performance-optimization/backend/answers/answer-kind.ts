import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";

/** Answers that are the same for every visitor: documents of public pages, and calls that admins chose. */
export type SharedKind = "page" | "call";

type Facts = { isAnonymous: boolean; sharedCalls: ReadonlySet<string> };

/**
 * What kind of shared answer a request may lead to; `null` for everything else: for whoever has a cookie or credentials,
 * and for pages with a query, where tokens stand. Calls of the application that are known take none: with one they would be
 * kept once for each that visitors make up.
 */
export const sharedKindOf = (
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
export const knownCalls: ReadonlySet<string> = new Set([
  "/api/plugins",
  "/api/plugins/site-scripts",
  "/swagger/json",
]);

/** Whether an answer may be kept for others, by what it says itself. */
export const maySharedKeep = ({ path }: ArrivingRequest, kind: SharedKind, response: Response): boolean => {
  const { status, headers } = response;
  if (status !== 200 || headers.has("set-cookie") || headers.get("vary")?.trim() === "*") return false;
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  const said = headers.get("cache-control") ?? "";
  if (/\bprivate\b/i.test(said)) return false;
  if (kind === "page") return isPage && !/\bno-store\b/i.test(said);
  return knownCalls.has(path) || /\b(?:public|max-age=[1-9])/i.test(said);
};
