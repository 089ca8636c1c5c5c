import { tokenAreas } from "#contract/api-tokens.ts";

/** Who may call a route. `admin` includes the operator; `operator` is the control socket alone. */
export const accessLevels = ["public", "user", "admin", "operator"] as const;
export type Access = (typeof accessLevels)[number];

/**
 * What authorizes a GET to change state: the session cookie, an emailed token in its path, or the state that a browser
 * brings back from another site.
 */
export const stateChanges = ["by-cookie", "by-token", "by-state"] as const;
export type StateChange = (typeof stateChanges)[number];

/** What a call of a route does, seen from the origin rule: the GETs change state by what they carry. */
export type OriginClass = "safe" | "unsafe" | `get-${StateChange}`;

/** Rights that are the same whatever the method. */
export const ownRights = ["plugins:settings", "settings:security", "backups:read"] as const;

/**
 * Which API tokens may call an admin route: tokens for one area (the method decides between read and write) or with one
 * of its rights, tokens that may do everything (`all`), or any token (`any`) where the response needs no right of its own.
 */
export const routeScopes = [...tokenAreas, ...ownRights, "all", "any"] as const;
export type RouteScope = (typeof routeScopes)[number];

/** Whether a route needs the right to change its area. Follows the method unless given. */
export type ScopeRight = "read" | "write";
