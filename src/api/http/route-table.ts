import { Memoirist } from "memoirist";
import {
  type Access,
  accessLevels,
  type OriginClass,
  ownRights,
  type RouteScope,
  routeScopes,
  type StateChange,
  stateChanges,
} from "#api/door/access.ts";
import type { PlannedOperation, Route } from "#api/door/exchange.ts";
import { dryRunName, planPath } from "#contract/plan.ts";
import { type Proof, proofs } from "#contract/proof.ts";
import { createBodyCheck, isSafeMethod } from "./body.ts";
import { signOutPath } from "./target.ts";

/** Elysia's own list of routes, as far as it is read here. */
export type DeclaredRoute = { method: string; path: string; hooks: unknown };

export type RouteTable = {
  /** The route for a canonical path, `null` when the path has none, else its template and the methods it has. */
  find(method: string, path: string): Route | { template: string; allow: string[] } | null;
  /**
   * For the path of an emailed link whose token was damaged on its way: the same route with an invalid token. `null`
   * for every other path.
   */
  standIn(path: string): string | null;
  readonly all: Route[];
};

/** Builds the table. Throws for a route that does not say who may call it, with which API tokens, or with which proof. */
export const createRouteTable = (declared: DeclaredRoute[]): RouteTable => {
  const all = declared.map(toRoute);
  const fixed = new Map<string, Map<string, Route>>();
  const dynamic = new Memoirist<Map<string, Route>>();
  const templates = new Map<string, Map<string, Route>>();
  for (const route of all) {
    const methods = templates.get(route.template) ?? new Map<string, Route>();
    if (!templates.has(route.template)) {
      templates.set(route.template, methods);
      if (route.template.includes(":")) dynamic.add("ANY", route.template, methods);
      if (!route.template.includes(":")) fixed.set(route.template, methods);
    }
    methods.set(route.method, route);
  }
  for (const { planned } of all)
    if (planned !== null) fixed.set(planPath(planned.id), new Map([["POST", planRoute(planned)]]));
  const tokenParents = all.flatMap(({ template }) =>
    template.endsWith("/:token") ? [template.slice(0, -":token".length)] : [],
  );
  return {
    all,
    standIn: (path) => {
      const parent = tokenParents.find((start) => path.startsWith(start));
      return parent === undefined || plainToken.test(path.slice(parent.length)) ? null : `${parent}-`;
    },
    find: (method, path) => {
      const methods = fixed.get(path) ?? dynamic.find("ANY", path)?.store;
      if (!methods) return null;
      const route = methods.get(method);
      if (route) return route;
      const [any] = methods.values();
      return any ? { template: any.template, allow: [...methods.keys()] } : null;
    },
  };
};

// Longer texts cannot be tokens.
const plainToken = /^[A-Za-z0-9_-]{1,100}$/;

const toRoute = ({ method, path, hooks }: DeclaredRoute): Route => {
  const access: unknown = Reflect.get(Object(hooks), "access");
  if (!isAccess(access)) throw new Error(`${method} ${path} does not say who may call it (access)`);
  const given: unknown = Reflect.get(Object(hooks), "stateChange");
  const stateChange = isStateChange(given) ? given : null;
  const scope = scopeOf({ method, path, hooks });
  if (access === "admin" && scope === null)
    throw new Error(`${method} ${path} does not say which API tokens may call it (scope)`);
  const proof = proofOf(hooks);
  if (access === "admin" && proof === null && (method !== "GET" || stateChange !== null))
    throw new Error(`${method} ${path} does not say which proof it wants (proof)`);
  const failurePath: unknown = Reflect.get(Object(hooks), "failurePath");
  const takesUpload = Reflect.get(Object(hooks), "upload") !== undefined;
  const summary: unknown = Reflect.get(Object(Reflect.get(Object(hooks), "detail")), "summary");
  const id: unknown = Reflect.get(Object(hooks), "planned");
  const route: Route = {
    method,
    template: path,
    summary: typeof summary === "string" ? summary : `${method} ${path}`,
    access,
    scope: access === "admin" ? scope : null,
    proof: proof ?? "none",
    takesPassword: Reflect.get(Object(hooks), "takesPassword") === true,
    isForEnrolment: Reflect.get(Object(hooks), "forEnrolment") === true,
    exemption: exemptionOf(path, access),
    stateChange,
    originClass: originClassOf(method, stateChange),
    failurePath: typeof failurePath === "string" ? failurePath : null,
    mayTakeLong: Reflect.get(Object(hooks), "mayTakeLong") === true,
    isShared: Reflect.get(Object(hooks), "isShared") === true,
    bodyKind: bodyKindOf(hooks),
    isForTokens: bodyKindOf(hooks) === "message",
    bodyCheck: takesUpload
      ? null
      : createBodyCheck(Reflect.get(Object(hooks), "checkedBody") ?? Reflect.get(Object(hooks), "body")),
    plugin: null,
    queryNames: null,
    planned: null,
    answer: null,
  };
  if (typeof id === "string") route.planned = { id, route, places: placesOf(hooks) };
  // Browsers are led to the others from elsewhere, with whatever their addresses hold.
  if (!isSafeMethod(method) || stateChange === "by-token")
    route.queryNames = [...namesIn(hooks, "query"), ...(route.planned === null ? [] : [dryRunName])];
  return route;
};

const originClassOf = (method: string, stateChange: StateChange | null): OriginClass => {
  if (!isSafeMethod(method)) return "unsafe";
  return stateChange === null ? "safe" : `get-${stateChange}`;
};

const namesIn = (hooks: unknown, part: string): string[] =>
  Object.keys(Object(Reflect.get(Object(Reflect.get(Object(hooks), part)), "properties")));

const placesOf = (hooks: unknown): PlannedOperation["places"] =>
  new Map(
    (["params", "query", "body", "headers"] as const).flatMap((part) =>
      namesIn(hooks, part).map((name) => [name, part] as const),
    ),
  );

/** The route of an operation's plan, with the access and limits of the operation. */
const planRoute = (planned: PlannedOperation): Route => ({
  ...planned.route,
  method: "POST",
  template: planPath(":operation"),
  summary: `Plan: ${planned.route.summary}`,
  bodyKind: "any-json",
  bodyCheck: null,
  queryNames: [],
  planned,
});

const bodyKindOf = (hooks: unknown): Route["bodyKind"] => {
  if (Reflect.get(Object(hooks), "upload") !== undefined) return "upload";
  if (Reflect.get(Object(hooks), "form") === true) return "form";
  return Reflect.get(Object(hooks), "messages") === true ? "message" : "json";
};

const proofOf = (hooks: unknown): Proof | null => {
  const proof: unknown = Reflect.get(Object(hooks), "proof");
  return proofs.find((known) => known === proof) ?? null;
};

/** What an API token must be allowed to call a route, as in {@link Route}; `null` where the route does not say. */
export const scopeOf = ({ method, hooks }: DeclaredRoute): Route["scope"] => {
  if (Reflect.get(Object(hooks), "tokens") === false) return "none";
  const scope: unknown = Reflect.get(Object(hooks), "scope");
  if (!isRouteScope(scope)) return null;
  if (scope === "any") return "any";
  if (scope === "all") return "*";
  if (isOwnRight(scope)) return scope;
  const right: unknown = Reflect.get(Object(hooks), "scopeRight");
  const isChange = method !== "GET" || isStateChange(Reflect.get(Object(hooks), "stateChange"));
  return `${scope}:${right === "read" || (right !== "write" && !isChange) ? "read" : "write"}`;
};

/**
 * Routes of plugins and of admins, which the limit can leave out, and signing out, which it counts but never refuses. Other routes
 * that are open to everyone are never left out.
 */
const exemptionOf = (template: string, access: Access): Route["exemption"] => {
  if (template === signOutPath) return "sign-out";
  if (/^\/api\/plugin(?:s|-host)(?:\/|$)/.test(template)) return "plugin";
  return access === "admin" || access === "operator" ? "admin" : null;
};

const isStateChange = (value: unknown): value is StateChange => stateChanges.some((right) => right === value);

const isOwnRight = (scope: RouteScope): scope is (typeof ownRights)[number] =>
  ownRights.some((right) => right === scope);

const isRouteScope = (value: unknown): value is RouteScope => routeScopes.some((scope) => scope === value);

const isAccess = (value: unknown): value is Access => accessLevels.some((level) => level === value);
