import { scopeOf } from "#api/http/route-table.ts";
import { operations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";
import { declaredRoutes, type NeededScope } from "./declared-routes.ts";

/** What an operation for admins asks for; docs/api/operations.txt pins it. */
const neededFor = ({ endpoint, ...hooks }: Operation): [string, NeededScope][] => {
  const [method = "", path = ""] = endpoint.split(" ");
  const scope = hooks.access === "admin" ? scopeOf({ method, path, hooks }) : null;
  return scope === null ? [] : [[endpoint, scope]];
};

/** Which scope of an API token each route for admins asks for. */
export const tokenMatrix: ReadonlyMap<string, NeededScope> = new Map([
  ...operations.flatMap(({ operation }) => neededFor(operation)),
  ...Object.entries(declaredRoutes).flatMap(([route, { scope }]): [string, NeededScope][] =>
    scope === undefined ? [] : [[route, scope]],
  ),
]);
