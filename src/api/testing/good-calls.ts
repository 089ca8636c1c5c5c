import { operations } from "#api/operations.ts";
import { placeOperation } from "#api/place-operation.ts";
import { sampleSecret } from "#contract/operation.ts";
import { type DeclaredRoute, declaredRoutes, filledPath } from "./declared-routes.ts";
import type { GoodCall } from "./mutate-request.ts";

/** What stands in the place of each secret of these calls, and must turn up nowhere. */
export const canary = "canary-of-a-password";

/** The example of an operation as a call. */
export const goodCallOf = (id: string): GoodCall => {
  const { example = {} } = operations.find((one) => one.id === id)?.operation ?? {};
  const input: object = JSON.parse(JSON.stringify(example).replaceAll(sampleSecret, canary));
  const { method, target, headers, body } = placeOperation(id, input);
  const [path = "", query] = target.split("?");
  return {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
    ...(body && { body }),
  };
};

const goodCallTo = ([route, { params, query, body }]: [string, DeclaredRoute]): GoodCall => {
  const [method = "", template = ""] = route.split(" ");
  return { method, path: filledPath(template, params), ...(query && { query }), ...(body && { body }) };
};

const firstId = "system.health";

/** A good call of every route. A route without one fails the fuzzing. */
export const goodCalls: [GoodCall, ...GoodCall[]] = [
  goodCallOf(firstId),
  ...operations.flatMap(({ id }) => (id === firstId ? [] : [goodCallOf(id)])),
  ...Object.entries(declaredRoutes).map(goodCallTo),
];
