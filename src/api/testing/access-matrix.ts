import type { Access } from "#api/door/access.ts";
import { operations } from "#api/operations.ts";
import { type DeclaredRoute, declaredRoutes, filledPath } from "./declared-routes.ts";

/**
 * Who asks. `unverified` has registered and not followed the link, so there is no session to hold; `expired` holds the
 * cookie of a session that has ended; `demoted` was an admin a moment ago.
 */
export const actors = ["anonymous", "unverified", "expired", "user", "demoted", "admin"] as const;
export type MatrixActor = (typeof actors)[number];

/** One route: a sample call, and the status that each actor gets for it. */
export type MatrixRow = { path: string; body?: unknown; statuses: Record<MatrixActor, number> };

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

type Facts = Pick<DeclaredRoute, "access" | "params" | "query" | "status"> & { body?: unknown };

const rowOf = (route: string, { access, params, query, body, status }: Facts): MatrixRow => {
  const filled = filledPath(route.split(" ")[1] ?? "", params);
  const path = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`;
  return { path, body, statuses: statusesOf(access, status) };
};

const statusesOf = (access: Access, status: number): MatrixRow["statuses"] => {
  if (access === "public") return everybody(status);
  if (access === "operator") return nobody;
  return access === "user" ? signedIn(status) : admins(status);
};

/**
 * Every route with the answer for every actor: of operations by their contracts, which docs/api/operations.txt pins, of other
 * routes by their table. A route without a row fails the tests, and so does a row without a route. Sample calls change nothing:
 * their bodies are refused after the access check.
 */
export const accessMatrix: Record<string, MatrixRow> = Object.fromEntries([
  ...operations.map(({ operation: { endpoint, access, probe } }) => [
    endpoint,
    rowOf(endpoint, { access, ...probe }),
  ]),
  ...Object.entries(declaredRoutes).map(([route, row]) => [route, rowOf(route, row)]),
]);
