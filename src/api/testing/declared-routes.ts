import type { Access } from "#api/door/access.ts";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { Proof } from "#contract/proof.ts";

/** Which scope a token needs: `any` for none in particular, `none` where no token may call, whatever its scopes. */
export type NeededScope = TokenScope | "any" | "none";

/** A route that is no operation: who may call it, and a call of it. */
export type DeclaredRoute = {
  access: Access;
  /** For routes for admins. */
  scope?: NeededScope;
  /** What its session must have proven; nothing unless given. */
  proof?: Proof | undefined;
  /** Of a call that is good as far as its form goes, and changes nothing. `*` is the rest of a path. */
  params?: { readonly [name: string]: string };
  query?: Record<string, string>;
  body?: object;
  /** What those get who may make the call. */
  status: number;
  /** What administrators do with it, and the command that does the same; `why` where that makes another call. */
  action?: { action: string; command: string; why?: string };
};

const name = "visitor-notes";

/** All routes that are no operations, whose facts stand in their contracts. What the tests of all routes need to know of them. */
export const declaredRoutes: Record<string, DeclaredRoute> = {
  "GET /api/ready": { access: "public", status: 200 },
  // Nobody's without a token that the operator set.
  "GET /api/metrics": { access: "public", status: 404 },
  "GET /api/auth/google": { access: "public", query: { returnTo: "/dashboard" }, status: 302 },
  "GET /api/auth/google/callback": {
    access: "public",
    query: { state: "A".repeat(400), code: "A".repeat(40) },
    status: 302,
  },
  "GET /api/auth/github": { access: "public", query: { returnTo: "/dashboard" }, status: 302 },
  "GET /api/auth/github/callback": {
    access: "public",
    query: { state: "A".repeat(400), error: "access_denied" },
    status: 302,
  },
  // None of this name is configured.
  "GET /api/auth/:provider": { access: "public", status: 404 },
  "GET /api/auth/:provider/callback": { access: "public", query: { error: "access_denied" }, status: 404 },
  "POST /api/auth/:provider/backchannel-logout": { access: "public", body: {}, status: 415 },
  "GET /api/auth/logout": { access: "public", status: 200 },
  "GET /api/admin/activity/stream": {
    ...{ access: "admin", scope: "activity:read", status: 200 },
    query: { after: "0", severity: "high,critical", search: "role", startDate: "2026-01-31" },
    action: { action: "Follow activities", command: "activity tail" },
  },
  "POST /api/plugins/inspect": {
    ...{ access: "admin", scope: "plugins:read", status: 415 },
    body: { plugin: "not in a form" },
    action: { action: "Look into a package", command: "plugin install --plan" },
  },
  "POST /api/plugins/upload": {
    ...{ access: "admin", scope: "plugins:write", proof: "factor", status: 415 },
    query: { allowDowngrade: "true" },
    body: { plugin: "not in a form" },
    action: { action: "Install or update a plugin", command: "plugin install" },
  },
  "GET /api/plugin-host/manifest.schema.json": { access: "public", status: 200 },
  // Each operation's plan is for whoever may call the operation.
  "POST /api/plan/:operation": {
    ...{ access: "admin", scope: "any", status: 404 },
    params: { operation: "none" },
    body: {},
  },
  // For tokens alone.
  "POST /mcp": {
    ...{ access: "admin", scope: "any", status: 401 },
    body: { jsonrpc: "2.0", id: 1, method: "ping" },
  },
  "GET /swagger/json": { access: "public", status: 200 },
  "GET /api/plugins/:name/starter": {
    ...{ access: "admin", scope: "plugins:read", status: 200 },
    params: { name },
    action: {
      action: "Download a plugin to begin with",
      command: "plugin create",
      why: "the program includes the files",
    },
  },
  "GET /api/plugins/:name/assets/:sha/*": {
    ...{ access: "public", status: 404 },
    params: { name, sha: "0123456789ab", "*": "frontend/index.js" },
  },
  "GET /api/plugins/site-scripts": { access: "public", status: 200 },
  "GET /api/plugins/:name/frame": { access: "public", params: { name }, status: 404 },
  "GET /api/plugin-host/:file": { access: "public", params: { file: "react.js" }, status: 404 },
};

/** A path with its variable parts filled in; those that nothing is given for are `none`. */
export const filledPath = (template: string, params: DeclaredRoute["params"] = {}): string =>
  template.replace(/:(\w+)|\*$/g, (part, variable: string = part) => params[variable] ?? "none");
