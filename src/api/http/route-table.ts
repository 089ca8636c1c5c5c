import { Memoirist } from "memoirist";
import { type BodyCheck, createBodyCheck } from "./body-schema.ts";
import { type Access, accessLevels, type StateChange, stateChanges } from "./door.ts";
import type { Passage } from "./passage.ts";

/** What the pipeline must know of a route before Elysia runs it. `template` is its path with parameter names. */
export type Route = {
  method: string;
  template: string;
  /** What it does, in a few words: as in the API's description, or else method and path. */
  summary: string;
  access: Access;
  /** By which switch the limit on calls leaves it out, if by any: see {@link exemptionOf}. */
  exemption: "admin" | "plugin" | null;
  /** For a GET that changes state: what gives it the right to. */
  stateChange: StateChange | null;
  /** Where a browser that was led here is sent when the call fails; `null` answers in the envelope. */
  failurePath: string | null;
  /** Whether an answer may take minutes: then the connection is not cut for being silent. */
  mayTakeLong: boolean;
  /**
   * Whether its answer is the same for everybody and kept by caches: then nobody is asked who they are, and no cookie
   * goes out with it.
   */
  isShared: boolean;
  /** What comes with a call: JSON that `bodyCheck` looks at, any JSON or nothing, a form with a file, or what it reads itself. */
  bodyKind: "json" | "any-json" | "upload" | "raw";
  /** What the route asks of its JSON body; `null` when it reads none. */
  bodyCheck: BodyCheck | null;
  /** The plugin that it belongs to, `null` for the application's own. */
  plugin: string | null;
  /** Answers in Elysia's place. */
  answer: RouteAnswer | null;
};

/** Answers a call that may go on; `body` is what came with it, `headers` what every answer has: to be copied. */
export type RouteAnswer = (passage: Passage, body: unknown, headers: Headers) => Response | Promise<Response>;

/** Elysia's own list of routes, as far as it is read here. */
export type DeclaredRoute = { method: string; path: string; hooks: unknown };

export type RouteTable = {
  /** The route for a canonical path, `null` when the path has none, else its template and the methods it has. */
  find(method: string, path: string): Route | { template: string; allow: string[] } | null;
  readonly all: Route[];
};

/** Builds the table. Throws for a route that does not say who may call it. */
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
  return {
    all,
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

const toRoute = ({ method, path, hooks }: DeclaredRoute): Route => {
  const access: unknown = Reflect.get(Object(hooks), "access");
  if (!isAccess(access)) throw new Error(`${method} ${path} does not say who may call it (access)`);
  const stateChange: unknown = Reflect.get(Object(hooks), "stateChange");
  const failurePath: unknown = Reflect.get(Object(hooks), "failurePath");
  const takesUpload = Reflect.get(Object(hooks), "upload") !== undefined;
  const summary: unknown = Reflect.get(Object(Reflect.get(Object(hooks), "detail")), "summary");
  return {
    method,
    template: path,
    summary: typeof summary === "string" ? summary : `${method} ${path}`,
    access,
    exemption: exemptionOf(path, access),
    stateChange: isStateChange(stateChange) ? stateChange : null,
    failurePath: typeof failurePath === "string" ? failurePath : null,
    mayTakeLong: Reflect.get(Object(hooks), "mayTakeLong") === true,
    isShared: Reflect.get(Object(hooks), "isShared") === true,
    bodyKind: takesUpload ? "upload" : "json",
    bodyCheck: takesUpload ? null : createBodyCheck(Reflect.get(Object(hooks), "body")),
    plugin: null,
    answer: null,
  };
};

/** Calls of plugins, and what only admins may call beside them. What is open to everybody else is never left out. */
const exemptionOf = (template: string, access: Access): Route["exemption"] => {
  if (/^\/api\/plugin(?:s|-host)(?:\/|$)/.test(template)) return "plugin";
  return access === "admin" || access === "operator" ? "admin" : null;
};

const isStateChange = (value: unknown): value is StateChange => stateChanges.some((right) => right === value);

const isAccess = (value: unknown): value is Access => accessLevels.some((level) => level === value);
