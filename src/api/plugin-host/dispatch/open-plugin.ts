import { personBehind } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { siteOf } from "#api/core/circumstances.ts";
import type { Actor } from "#api/core/context.ts";
import type { Exchange, Route, RouteAnswer } from "#api/door/exchange.ts";
import { isSafeMethod } from "#api/http/body.ts";
import { sandboxPolicy } from "#api/http/security-headers.ts";
import { allows } from "#contract/api-tokens.ts";
import { dryRunName, planTexts } from "#contract/plan.ts";
import type { AdminPanel, Json, Method, PluginRequest, Principal } from "#plugins/sdk/types.ts";
import type { LivePlugin, NativeExtras } from "../runtime.ts";
import {
  type CompiledRoute,
  compileRoutes,
  createPathTable,
  type PathTable,
  usualProof,
  visibleHeaders,
} from "./compile-routes.ts";
import { type CountUse, invokeRoute, type LogLine, type RouteBreaker } from "./invoke-route.ts";
import { configPath, mayHaveBody, type OpenApiPaths, openApiPaths } from "./open-api.ts";

/** A route for the pipeline; `compiled` is `null` if the host responds on behalf of a plugin. */
type OpenRoute = Route & { compiled: CompiledRoute | null };

/** A plugin whose routes can be called; `live` is `null` while it is not running. */
export type OpenPlugin = {
  live: LivePlugin | null;
  table: PathTable<OpenRoute>;
  routes: readonly OpenRoute[];
  /** Its routes in the API document. */
  paths: OpenApiPaths;
};

/** What routes of plugins need in addition to the plugin. */
export type DispatchServices = {
  log: LogLine;
  breaker: RouteBreaker;
  used: CountUse;
  /** The plugin's settings without secrets. */
  settingsOf(plugin: string): Readonly<Record<string, Json>>;
};

/** Opens the routes of a running plugin. Throws like {@link compileRoutes}. */
export const openPlugin = (live: LivePlugin, services: DispatchServices): OpenPlugin => {
  const compiled = compileRoutes(live.runtime.registration, live.granted);
  const entries = compiled.map((route) => ({
    path: route.registered.path,
    entry: toRoute({ live, route, ...services }),
  }));
  const hasConfig = compiled.some(
    ({ registered: { method, path } }) => method === "GET" && path === configPath,
  );
  if (!hasConfig) entries.push({ path: configPath, entry: configRoute(live, services) });
  const table = createPathTable(entries);
  const paths = openApiPaths(live, compiled);
  const routes = entries.map(({ entry }) => entry);
  const mount = live.runtime.extras?.mount ?? null;
  if (mount === null) return { live, table, routes, paths };
  const find: OpenPlugin["table"]["find"] = (method, path) =>
    table.find(method, path) ?? mountedRoute(live.manifest.name, method, mount);
  return { live, table: { find }, routes, paths };
};

const routeOf = (plugin: string, method: string, path: string): OpenRoute => {
  const template = `/api/${plugin}${path === "/" ? "" : path}`;
  return {
    method,
    template,
    summary: `${method} ${template}`,
    access: "admin",
    scope: isSafeMethod(method) ? "plugins:read" : "plugins:write",
    proof: usualProof(method),
    takesPassword: false,
    isForEnrolment: false,
    exemption: "plugin",
    stateChange: null,
    originClass: isSafeMethod(method) ? "safe" : "unsafe",
    failurePath: null,
    mayTakeLong: false,
    isShared: false,
    bodyKind: "json",
    isForTokens: false,
    bodyCheck: null,
    plugin,
    queryNames: null,
    planned: null,
    answer: null,
    compiled: null,
  };
};

const toRoute = (called: Called): OpenRoute => {
  const { live, route: compiled } = called;
  const { name } = live.manifest;
  const { method, path, access, summary } = compiled.registered;
  const route = routeOf(name, method, path);
  const takesAny = compiled.checkBody === null && mayHaveBody.includes(method);
  return {
    ...route,
    summary: summary ?? route.summary,
    access,
    proof: compiled.proof,
    bodyKind: takesAny ? "any-json" : "json",
    bodyCheck: compiled.checkBody,
    answer: createAnswer(called),
    compiled,
  };
};

type Called = Omit<DispatchServices, "settingsOf"> & { live: LivePlugin; route: CompiledRoute };

const createAnswer = (called: Called): RouteAnswer => {
  const { live, route } = called;
  const { method, access, headers: named } = route.registered;
  const prefix = `/api/${live.manifest.name}`;
  const knowsDryRun = Object.hasOwn(route.query?.properties ?? {}, dryRunName);
  return (exchange, body, headers) => {
    const params = route.paramsOf(exchange.path.slice(prefix.length));
    const request = pluginRequest(exchange, { method, prefix, params, headers: named, body: asJson(body) });
    if (!knowsDryRun) refuseDryRun(method, request.query);
    route.checkQuery(request.query);
    return invokeRoute({ ...called, caller: callerOf(exchange.ip) }, request).then((outcome) => {
      const sent = new Headers(headers);
      sent.set("content-security-policy", sandboxPolicy);
      for (const name in outcome.headers) sent.set(name, outcome.headers[name] ?? "");
      // Shared caches must not store responses that are not public.
      if (access !== "public") keepPrivate(sent);
      return new Response(asBody(outcome.body), { status: outcome.status, headers: sent });
    });
  };
};

/** Refuses the dry run of a change that a plugin would make. Throws `VALIDATION_FAILED`. */
const refuseDryRun = (method: string, sent: PluginRequest["query"]): void => {
  if (isSafeMethod(method) || !Object.hasOwn(sent, dryRunName)) return;
  throw validationError([{ path: dryRunName, message: planTexts.notForPlugins }]);
};

/** One customer may have a whole /48: what they can't do from one IP address they can't do from many. */
const callerOf = (ip: string): string => siteOf(ip) ?? ip;

const keepPrivate = (headers: Headers): void => {
  const said = headers.get("cache-control") ?? "";
  if (said === "no-store") return;
  headers.set("cache-control", /^private\b/.test(said) && !said.includes("public") ? said : "no-store");
};

/** What the body rule read: parsed JSON, or `null`. */
const asJson = (body: unknown): Json => body as Json;

/** Bytes in an unshared buffer, as the types require. */
const asBody = (body: Uint8Array | string | null) => body as Uint8Array<ArrayBuffer> | string | null;

const configRoute = (live: LivePlugin, { settingsOf }: DispatchServices): OpenRoute => {
  const { name } = live.manifest;
  return {
    ...routeOf(name, "GET", configPath),
    answer: (_exchange, _body, headers) =>
      Response.json(pluginConfig(live, settingsOf(name)), { headers: new Headers(headers) }),
  };
};

const mountedRoute = (
  plugin: string,
  method: string,
  mount: NonNullable<NativeExtras["mount"]>,
): OpenRoute => ({
  ...routeOf(plugin, method, "/*"),
  bodyKind: "raw",
  answer: async ({ request, search }, _body, headers) => {
    refuseDryRun(method, queryOf(search));
    const answer = await mount(request);
    const response = new Response(answer.body, answer);
    for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  },
});

/** A plugin that is enabled and not running: every request gets an error. */
export const suspendedPlugin = (plugin: string): OpenPlugin => ({
  live: null,
  routes: [],
  paths: {},
  table: {
    find: (method) => ({
      ...routeOf(plugin, method, "/*"),
      ...{ access: "public", proof: "none" },
      answer: () => {
        throw new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1 });
      },
    }),
  },
});

/** A call from another plugin has no cookies, headers or user. */
export const callOf = (route: CompiledRoute, path: string, body: Json, caller: string) => {
  const [plain = "", search] = path.split("?", 2);
  return {
    id: crypto.randomUUID(),
    method: route.registered.method,
    path: plain,
    params: route.paramsOf(plain),
    query: queryOf(search === undefined ? "" : `?${search}`),
    headers: { "x-atrium-plugin": caller },
    body,
    user: null,
    ip: "local",
  };
};

/** A request as the plugin sees it: without cookies, credentials and proxy headers. */
const pluginRequest = (
  { requestId, request, path, search, ip, actor }: Exchange,
  { method, prefix, params, headers, body }: RequestParts,
): PluginRequest => ({
  id: requestId,
  method,
  path: path.slice(prefix.length) || "/",
  params,
  query: queryOf(search),
  headers: visibleHeaders(request.headers, headers),
  body,
  user: principalOf(actor, method),
  ...(actor.kind === "token" ? { token: { id: actor.token.id, name: actor.token.name } } : {}),
  ip,
});

/** The route of a request. `prefix` is `/api/{plugin}`. */
type RequestParts = {
  method: Method;
  prefix: string;
  params: Record<string, string>;
  /** The headers that the route asks for. */
  headers: readonly string[];
  body: Json;
};

/** A query as one object: texts, or a list of texts for a name that is given several times. */
export const queryOf = (search: string): PluginRequest["query"] => {
  if (search === "" || search === "?") return {};
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, value);
    else if (typeof known === "string") values.set(name, [known, value]);
    else known.push(value);
  }
  // Defines own fields even for names such as __proto__.
  return Object.fromEntries(values);
};

/** The user who sent the request. A token without the right for plugins has none, nor does the operator. */
const principalOf = (actor: Actor, method: Method): Principal | null => {
  const needed = isSafeMethod(method) ? "plugins:read" : "plugins:write";
  if (actor.kind === "token" && !allows(actor.token.scopes, needed)) return null;
  const person = personBehind(actor);
  return person === null ? null : { id: person.id, name: person.name, role: person.role };
};

/** What `GET /api/{plugin}/config` answers for a plugin that has no such route itself. */
export type PluginConfig = {
  success: true;
  data: { adminPanel: AdminPanel | null; settings: Readonly<Record<string, Json>> };
};

/** The panel of the manifest, overridden by the running plugin, and its settings without secrets. */
const pluginConfig = (
  { manifest, runtime }: LivePlugin,
  settings: Readonly<Record<string, Json>>,
): PluginConfig => ({
  success: true,
  data: { adminPanel: panelOf(manifest.adminPanel, runtime.registration.adminPanel), settings },
});

const panelOf = (built: AdminPanel | null, said: AdminPanel | null): AdminPanel | null => {
  if (said === null) return built;
  const menuItem = { ...built?.menuItem, ...said.menuItem };
  const card = { ...built?.card, ...said.card };
  return {
    enabled: said.enabled,
    ...(Object.keys(menuItem).length > 0 ? { menuItem } : {}),
    ...(Object.keys(card).length > 0 ? { card } : {}),
  };
};
