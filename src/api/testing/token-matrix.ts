import { scopeOf } from "#api/http/target.ts";
import { operations } from "#api/operations.ts";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { Operation } from "#contract/operation.ts";

type Needed = TokenScope | "any" | "none";

const each = (scope: Needed, routes: string[]): [string, Needed][] => routes.map((route) => [route, scope]);

/** What an operation for admins asks for; docs/api/operations.txt pins it. */
const neededFor = ({ endpoint, ...hooks }: Operation): [string, Needed][] => {
  const [method = "", path = ""] = endpoint.split(" ");
  const scope = hooks.access === "admin" ? scopeOf({ method, path, hooks }) : null;
  return scope === null ? [] : [[endpoint, scope]];
};

/**
 * Which scope of an API token each route for admins asks for: of operations by their contracts, which docs/api/operations.txt
 * pins, of other routes as it is written down here. `any`: none at all;
 * `none`: no token may call it, whatever its scopes.
 */
export const tokenMatrix: ReadonlyMap<string, Needed> = new Map([
  ...operations.flatMap(({ operation }) => neededFor(operation)),
  ...each("any", ["POST /api/plan/:operation", "POST /mcp"]),
  ...each("activity:read", ["GET /api/admin/activity/stream"]),
  ...each("plugins:read", ["GET /api/plugins/:name/starter", "POST /api/plugins/inspect"]),
  ...each("plugins:write", ["POST /api/plugins/upload"]),
]);
