import { tokenAreas } from "#contract/api-tokens.ts";

/** Who may call a route. `admin` lets the operator in as well; `operator` is the control socket alone. */
export const accessLevels = ["public", "user", "admin", "operator"] as const;
export type Access = (typeof accessLevels)[number];

/**
 * By what right a GET changes state: by the session cookie, by a mailed token in its path, or by the state that came
 * back with a browser sent here from another site.
 */
export const stateChanges = ["by-cookie", "by-token", "by-state"] as const;
export type StateChange = (typeof stateChanges)[number];

/**
 * Which API tokens may call a route of admins: those for one area, by the method to read or to write, or with one right of
 * it; those that may do everything (`all`), or whichever (`any`), where nothing is told that needs a right of its own.
 */
export const routeScopes = [...tokenAreas, "plugins:settings", "settings:security", "all", "any"] as const;
export type RouteScope = (typeof routeScopes)[number];

/** Whether a route needs the right to change its area; what its method says unless given. */
export type ScopeRight = "read" | "write";
