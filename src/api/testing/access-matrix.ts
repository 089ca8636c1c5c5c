import type { Access } from "#api/door/access.ts";
import { operations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";

/**
 * Who asks. `unverified` has registered and not followed the link, so there is no session to hold; `expired` holds the
 * cookie of a session that has ended; `demoted` was an admin a moment ago.
 */
export const actors = ["anonymous", "unverified", "expired", "user", "demoted", "admin"] as const;
export type MatrixActor = (typeof actors)[number];

/** One route: a sample call, and the status that each actor gets for it. */
export type MatrixRow = { path?: string; body?: unknown; statuses: Record<MatrixActor, number> };

const everybody = (status: number): MatrixRow["statuses"] => ({
  anonymous: status,
  unverified: status,
  expired: status,
  user: status,
  demoted: status,
  admin: status,
});
const signedIn = (status: number): MatrixRow["statuses"] => ({
  ...everybody(status),
  anonymous: 401,
  unverified: 401,
  expired: 401,
});
const admins = (status: number): MatrixRow["statuses"] => ({ ...signedIn(403), admin: status });
/** For the operator's socket alone, through which none of these people come. */
const nobody = signedIn(403);

/** The row of an operation; docs/api/operations.txt pins who may call it. */
const rowOf = ({ endpoint, access, probe }: Operation): MatrixRow => {
  const { params = {}, query, body, status } = probe;
  const filled =
    endpoint.split(" ")[1]?.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "none") ?? "";
  const path = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`;
  return { path, body, statuses: statusesOf(access, status) };
};

const statusesOf = (access: Access, status: number): MatrixRow["statuses"] => {
  if (access === "public") return everybody(status);
  if (access === "operator") return nobody;
  return access === "user" ? signedIn(status) : admins(status);
};

/**
 * Every route with the answer for every actor: the one list of who may do what. A route without a row fails the
 * tests, and so does a row without a route. Sample calls change nothing: their bodies are refused after the access check.
 */
export const accessMatrix: Record<string, MatrixRow> = {
  ...Object.fromEntries(operations.map(({ operation }) => [operation.endpoint, rowOf(operation)])),
  "GET /api/ready": { statuses: everybody(200) },
  // Nobody's without a token that the operator set.
  "GET /api/metrics": { statuses: everybody(404) },
  "GET /api/auth/google": { statuses: everybody(302) },
  "GET /api/auth/google/callback": { statuses: everybody(302) },
  "GET /api/auth/github": { statuses: everybody(302) },
  "GET /api/auth/github/callback": { statuses: everybody(302) },
  "GET /api/auth/logout": { statuses: everybody(200) },
  "GET /api/admin/activity/stream": { statuses: admins(200) },
  "POST /api/plugins/inspect": { body: {}, statuses: admins(415) },
  "POST /api/plugins/upload": { body: {}, statuses: admins(415) },
  "GET /api/plugin-host/manifest.schema.json": { statuses: everybody(200) },
  // Each operation's plan is for whoever may call the operation.
  "POST /api/plan/:operation": { path: "/api/plan/none", body: {}, statuses: admins(404) },
  // For tokens alone: see the matrix of scopes.
  "POST /mcp": { body: { jsonrpc: "2.0", id: 1, method: "ping" }, statuses: admins(401) },
  "GET /api/plugins/:name/assets/:sha/*": {
    path: "/api/plugins/none/assets/000000000000/index.js",
    statuses: everybody(404),
  },
  "GET /swagger/json": { path: "/swagger/json", statuses: everybody(200) },
  "GET /api/plugins/:name/starter": { path: "/api/plugins/none/starter", statuses: admins(200) },
  "GET /api/plugins/site-scripts": { statuses: everybody(200) },
  "GET /api/plugins/:name/frame": { path: "/api/plugins/none/frame", statuses: everybody(404) },
  "GET /api/plugin-host/:file": { path: "/api/plugin-host/none.js", statuses: everybody(404) },
};
