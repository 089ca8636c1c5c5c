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

/**
 * Every route with the answer for every actor: the one list of who may do what. A route without a row fails the
 * tests, and so does a row without a route. Sample calls change nothing: their bodies are refused after the access check.
 */
export const accessMatrix: Record<string, MatrixRow> = {
  "GET /api/health": { statuses: everybody(200) },
  "GET /api/ready": { statuses: everybody(200) },
  "GET /api/auth/user": { statuses: signedIn(200) },
  "POST /api/auth/login": { body: {}, statuses: everybody(422) },
  "POST /api/auth/register": { body: {}, statuses: everybody(422) },
  "POST /api/auth/resend-verification": { body: {}, statuses: everybody(422) },
  "GET /api/auth/verify-email/:token": { path: "/api/auth/verify-email/none", statuses: everybody(400) },
  "POST /api/auth/setup": { body: {}, statuses: everybody(422) },
  "GET /api/auth/logout": { statuses: everybody(200) },
  "POST /api/auth/logout": { statuses: everybody(200) },
  "GET /api/admin": { statuses: admins(200) },
  "GET /api/admin/users": { statuses: admins(200) },
  "POST /api/admin/users": { body: {}, statuses: admins(422) },
  "GET /api/system/info": { statuses: admins(200) },
};
