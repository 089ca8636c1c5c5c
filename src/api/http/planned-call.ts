import { AppError, validationError } from "#api/core/app-error.ts";
import type { Passage, PlannedOperation, Route } from "#api/door/passage.ts";
import { fieldTexts } from "#contract/errors.ts";
import { pathPart } from "#contract/path-part.ts";
import { dryRunName, planTexts } from "#contract/plan.ts";
import { isCanonicalPath } from "./canonical-path.ts";
import type { RouteTable } from "./route-table.ts";

/** A call as its operation's handler gets it. */
export type PlannedCall = { request: Request; body: unknown };

/** Whether a call asks for a plan. Throws a 422 for one that leaves open whether it does. */
export const asksForPlan = ({ search }: Passage, { planned, method, template }: Route): boolean => {
  if (planned === null) return false;
  if (planned.route.template !== template || planned.route.method !== method) return true;
  if (search === "") return false;
  // Decoded, as all others read the query: what is only looked for as it is written would be carried out.
  const value = new URLSearchParams(search).get(dryRunName);
  if (value !== null && value !== "true")
    throw validationError([{ path: dryRunName, message: planTexts.valueInvalid }]);
  return value === "true";
};

/** The call that would carry a plan out, for the operation's own handler: its request names no dry run. */
export const plannedCall = (
  passage: Passage,
  route: Route,
  { body, routes }: { body: unknown; routes: RouteTable },
): PlannedCall => {
  const { planned } = route;
  if (planned === null) throw new Error("only operations have plans");
  if (planned.route.template !== route.template) return placedCall(planned, { body, routes });
  const query = new URLSearchParams(passage.search);
  query.delete(dryRunName);
  const { method, headers } = passage.request;
  return { request: requestTo(method, targetOf(passage.path, query), headers), body };
};

/** The call for an operation's input in one object. Throws as the call itself would for what it can't be. */
const placedCall = (
  { route, places }: PlannedOperation,
  { body, routes }: { body: unknown; routes: RouteTable },
): PlannedCall => {
  if (body !== null && (typeof body !== "object" || Array.isArray(body))) throw new AppError("BAD_REQUEST");
  const given = Object.entries(body ?? {});
  // What the operation doesn't know is in its body, if it has one, which says so.
  const rest = route.bodyCheck === null ? null : "body";
  const at = (place: string) => given.filter(([name]) => (places.get(name) ?? rest) === place);
  const unknown = given.filter(([name]) => (places.get(name) ?? rest) === null);
  if (unknown.length > 0)
    throw validationError(
      unknown.slice(0, 20).map(([name]) => ({ path: name.slice(0, 100), message: fieldTexts.unknown })),
    );
  for (const [name, value] of ["params", "query", "headers"].flatMap(at))
    if (typeof value === "object") throw validationError([{ path: name, message: planTexts.oneValue }]);
  const inPath = new Map(at("params"));
  const path = route.template.replace(/:(\w+)/g, (_, name: string) => {
    if (!inPath.has(name)) throw validationError([{ path: name, message: fieldTexts.required }]);
    return pathPart(String(inPath.get(name)));
  });
  if (!isCanonicalPath(path) || routes.find(route.method, path) !== route) throw new AppError("NOT_FOUND");
  const sent = route.bodyCheck === null ? null : Object.fromEntries(at("body"));
  route.bodyCheck?.(sent);
  const texts = (place: string) => at(place).map(([name, value]): [string, string] => [name, String(value)]);
  const headers = new Headers(texts("headers"));
  headers.set("content-type", "application/json");
  const target = targetOf(path, new URLSearchParams(texts("query")));
  return { request: requestTo(route.method, target, headers), body: sent };
};

const targetOf = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`;

// The body was read: the handler gets it from the pipeline.
const requestTo = (method: string, target: string, headers: Headers): Request =>
  new Request(`http://localhost${target}`, { method, headers });
