import { scopeOf } from "#api/http/route-table.ts";
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
  ...each("plugins:read", [
    "GET /api/admin/plugin-keys",
    "GET /api/plugins/:name",
    "GET /api/plugins/:name/logs",
    "GET /api/plugins/:name/data",
    "GET /api/plugins/:name/download",
    "GET /api/plugins/:name/settings",
    "GET /api/plugins/:name/starter",
    "POST /api/plugins/inspect",
  ]),
  ...each("plugins:write", [
    "POST /api/plugins/:name/toggle",
    "POST /api/plugins/:name/versions/:version/activate",
    "DELETE /api/plugins/:name/versions/:version",
    "POST /api/plugins/:name/restore",
    "DELETE /api/plugins/:name/retained/:publisher",
    "DELETE /api/plugins/:name",
    "POST /api/plugins/upload",
  ]),
  ...each("plugins:settings", ["PUT /api/plugins/:name/settings"]),
  ...each("none", ["POST /api/plugins/:name/replace-publisher"]),
  ...each("*", [
    "POST /api/admin/plugin-keys",
    "PATCH /api/admin/plugin-keys/:id",
    "POST /api/admin/plugin-keys/:id/revoke",
  ]),
]);
