import type { Access } from "#api/door/access.ts";
import { kit } from "#api/modules/kit.ts";
import { operations, ownOperations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";
import { type DeclaredRoute, declaredRoutes, filledPath } from "./declared-routes.ts";

/**
 * Who asks. `unverified` has registered and not followed the link, so there is no session to hold; `expired` holds the
 * cookie of a session that has ended; `demoted` was an admin a moment ago; `admin` has just signed in and has no second factor. The
 * others are admins, too: `stale` signed in more than ten minutes ago; `unproven` has just signed in and not given the second factor;
 * `proven` has given it. What API tokens get is in `token-access.test.ts`.
 */
export const actors = [
  ...(["anonymous", "unverified", "expired", "user", "demoted"] as const),
  ...(["admin", "stale", "unproven", "proven"] as const),
];
export type MatrixActor = (typeof actors)[number];

/** One route: a sample call, and the status that each actor gets for it. */
export type MatrixRow = { path: string; body?: unknown; statuses: Record<MatrixActor, number> };

const everybody = (status: number) =>
  // Each of them, by the list itself.
  Object.fromEntries(actors.map((actor) => [actor, status])) as MatrixRow["statuses"];
const signedIn = (status: number): MatrixRow["statuses"] => ({
  ...everybody(status),
  anonymous: 401,
  unverified: 401,
  expired: 401,
});
const admins = (status: number): MatrixRow["statuses"] => ({ ...signedIn(status), user: 403, demoted: 403 });
/** For the operator's socket alone, through which none of these people come. */
const nobody = signedIn(403);

type Facts = Pick<DeclaredRoute, "access" | "params" | "query" | "status" | "proof"> & {
  body?: unknown;
  takesPassword?: boolean | undefined;
};

const rowOf = (route: string, facts: Facts): MatrixRow => {
  const { access, params, query, body, status } = facts;
  const filled = filledPath(route.split(" ")[1] ?? "", params);
  const path = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`;
  return { path, body, statuses: { ...statusesOf(access, status), ...unprovenOf(route, facts) } };
};

const exceptions: Record<string, Partial<MatrixRow["statuses"]>> = {
  // It wants no proof: without one in the body it says whether there is one.
  "POST /api/account/confirm": { stale: 403, unproven: 403 },
  // Others have none to replace.
  "POST /api/account/recovery-codes": { stale: 403, unproven: 403, proven: 200 },
};

/** What they get who lack what the route wants to have been proven. */
const unprovenOf = (
  route: string,
  { access, proof, takesPassword = false, status }: Facts,
): Partial<MatrixRow["statuses"]> => {
  if (exceptions[route]) return exceptions[route];
  if (access === "public" || access === "operator" || proof === undefined || proof === "none") return {};
  // A body that may hold the password is refused for its form first.
  const isReadFirst = proof === "password" || (takesPassword && status === 422);
  const stale = isReadFirst ? {} : { stale: 403 };
  return proof === "recent" ? stale : { ...stale, unproven: 403 };
};

const statusesOf = (access: Access, status: number): MatrixRow["statuses"] => {
  if (access === "public") return everybody(status);
  if (access === "operator") return nobody;
  return access === "user" ? signedIn(status) : admins(status);
};

/** The call that changes nothing of an operation that names none: what it is about doesn't exist, or its body lacks everything. */
const usualProbe = ({ endpoint, schemas }: Operation): NonNullable<Operation["probe"]> => {
  const names = [...endpoint.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(names.map((name) => [name, "none"]));
  if (schemas(kit).body !== undefined) return { params, body: {}, status: 422 };
  return { params, status: names.length > 0 ? 404 : 200 };
};

/**
 * Every route with the answer for every actor: of operations by their contracts, which docs/api/operations.txt pins, of other
 * routes by their table. A route without a row fails the tests, and so does a row without a route. Sample calls change nothing:
 * their bodies are refused after the access check.
 */
export const accessMatrix: Record<string, MatrixRow> = Object.fromEntries([
  ...operations.map(({ operation }) => {
    const { endpoint, access, proof, takesPassword, probe = usualProbe(operation) } = operation;
    return [endpoint, rowOf(endpoint, { access, proof, takesPassword, ...probe })] as const;
  }),
  ...Object.entries(declaredRoutes).map(([route, row]) => [route, rowOf(route, row)]),
]);

const ownEndpoints = new Set<string>(ownOperations.map(({ operation }) => operation.endpoint));

/** The rows of the product's own routes, without those of own features. */
export const coreMatrix: Record<string, MatrixRow> = Object.fromEntries(
  Object.entries(accessMatrix).filter(([route]) => !ownEndpoints.has(route)),
);
