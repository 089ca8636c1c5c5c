import { Memoirist } from "memoirist";
import {
  type Access,
  accessLevels,
  type RouteScope,
  routeScopes,
  type StateChange,
  stateChanges,
} from "#api/door/access.ts";
import type { PlannedOperation, Route } from "#api/door/exchange.ts";
import { dryRunName, planPath } from "#contract/plan.ts";
import type { Proof } from "#contract/proof.ts";
import { createBodyCheck } from "./body.ts";
import { isSafeMethod } from "./forged-call.ts";

/** Elysia's own list of routes, as far as it is read here. */
export type DeclaredRoute = { method: string; path: string; hooks: unknown };

export type RouteTable = {
  /** The route for a canonical path, `null` when the path has none, else its template and the methods it has. */
  find(method: string, path: string): Route | { template: string; allow: string[] } | null;
  /**
   * Where the path of a mailed link leads whose token can't be one, because it came mangled: to the same route with a token
   * that is none. `null` for every other path.
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

// Of tokens that are longer nobody needs to know more than that they are none.
const plainToken = /^[A-Za-z0-9_-]{1,100}$/;

const toRoute = ({ method, path, hooks }: DeclaredRoute): Route => {
  const access: unknown = Reflect.get(Object(hooks), "access");
  if (!isAccess(access)) throw new Error(`${method} ${path} does not say who may call it (access)`);
  const stateChange: unknown = Reflect.get(Object(hooks), "stateChange");
  const scope = scopeOf({ method, path, hooks });
  if (access === "admin" && scope === null)
    throw new Error(`${method} ${path} does not say which API tokens may call it (scope)`);
  const proof = proofOf(hooks);
  if (access === "admin" && proof === null && (method !== "GET" || isStateChange(stateChange)))
    throw new Error(`${method} ${path} does not say which proof it wants (proof)`);
  const failurePath: unknown = Reflect.get(Object(hooks), "failurePath");
  const takesUpload = Reflect.get(Object(hooks), "upload") !== undefined;
  const takesMessages = Reflect.get(Object(hooks), "messages") === true;
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
    exemption: exemptionOf(path, access),
    stateChange: isStateChange(stateChange) ? stateChange : null,
    failurePath: typeof failurePath === "string" ? failurePath : null,
    mayTakeLong: Reflect.get(Object(hooks), "mayTakeLong") === true,
    isShared: Reflect.get(Object(hooks), "isShared") === true,
    bodyKind: bodyKindOf(takesUpload, takesMessages),
    bodyCheck: takesUpload ? null : createBodyCheck(Reflect.get(Object(hooks), "body")),
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

const namesIn = (hooks: unknown, part: string): string[] =>
  Object.keys(Object(Reflect.get(Object(Reflect.get(Object(hooks), part)), "properties")));

const placesOf = (hooks: unknown): PlannedOperation["places"] =>
  new Map(
    (["params", "query", "body", "headers"] as const).flatMap((part) =>
      namesIn(hooks, part).map((name) => [name, part] as const),
    ),
  );

/** The route that tells an operation's plan, for whoever may call the operation, and as it is counted. */
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

const bodyKindOf = (takesUpload: boolean, takesMessages: boolean): Route["bodyKind"] => {
  if (takesUpload) return "upload";
  return takesMessages ? "message" : "json";
};

const proofOf = (hooks: unknown): Proof | null => {
  const proof: unknown = Reflect.get(Object(hooks), "proof");
  return proof === "none" || proof === "recent" || proof === "factor" ? proof : null;
};

/** What an API token must be allowed to call a route, as in {@link Route}; `null` where the route does not say. */
export const scopeOf = ({ method, hooks }: DeclaredRoute): Route["scope"] => {
  if (Reflect.get(Object(hooks), "tokens") === false) return "none";
  const scope: unknown = Reflect.get(Object(hooks), "scope");
  if (!isRouteScope(scope)) return null;
  if (scope === "any") return "any";
  if (scope === "all") return "*";
  if (scope === "plugins:settings" || scope === "settings:security") return scope;
  const right: unknown = Reflect.get(Object(hooks), "scopeRight");
  const isChange = method !== "GET" || isStateChange(Reflect.get(Object(hooks), "stateChange"));
  return `${scope}:${right === "read" || (right !== "write" && !isChange) ? "read" : "write"}`;
};

/** Calls of plugins, and what only admins may call beside them. What is open to everybody else is never left out. */
const exemptionOf = (template: string, access: Access): Route["exemption"] => {
  if (/^\/api\/plugin(?:s|-host)(?:\/|$)/.test(template)) return "plugin";
  return access === "admin" || access === "operator" ? "admin" : null;
};

const isStateChange = (value: unknown): value is StateChange => stateChanges.some((right) => right === value);

const isRouteScope = (value: unknown): value is RouteScope => routeScopes.some((scope) => scope === value);

const isAccess = (value: unknown): value is Access => accessLevels.some((level) => level === value);
