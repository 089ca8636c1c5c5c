import { AppError } from "#api/core/app-error.ts";
import type { Route } from "#api/door/exchange.ts";
import type { RouteTable } from "#api/http/route-table.ts";
import { isCanonicalPath } from "#api/http/target.ts";
import type { Json, Method, PluginResponse } from "#plugins/sdk/types.ts";
import { PluginFault } from "../host-functions/host-function.ts";
import type { LivePlugin, PluginDoor } from "../runtime.ts";
import { compileRoutes } from "./compile-routes.ts";
import { invokeRoute, type Outcome } from "./invoke-route.ts";
import type { OpenApiPaths } from "./open-api.ts";
import {
  callOf,
  type DispatchServices,
  type OpenPlugin,
  openPlugin,
  suspendedPlugin,
} from "./open-plugin.ts";

/** The routes of the enabled plugins, below `/api/{plugin}`. */
export type PluginRoutes = PluginDoor & {
  /** Like the application's own table. A disabled plugin has no paths at all. */
  find: RouteTable["find"];
  /** Routes of running plugins. */
  all(): Route[];
  /** Calls a plugin on behalf of another. Rejects with a `PluginFault` if it can't respond. */
  call(caller: string, target: PluginCall): Promise<PluginResponse>;
  /** The running plugins. */
  live(): LivePlugin[];
  /** Their routes in the API document: the same object until a plugin starts or stops. */
  describe(): OpenApiPaths;
};

/** A call from one plugin to another; `path` is below `/api/{name}`, and can have a query. */
type PluginCall = { name: string; method: Method; path: string; body: Json };

/** What is wrong with a plugin's routes, for its author; `null` if they can be opened. */
export const routesProblem = (live: Pick<LivePlugin, "runtime" | "granted">): string | null => {
  try {
    compileRoutes(live.runtime.registration, live.granted);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const prefix = "/api/";

/** A table without plugins. Opening, suspending and closing are atomic: no request sees half of one. */
export const createPluginRoutes = (services: DispatchServices): PluginRoutes => {
  const plugins = new Map<string, OpenPlugin>();
  let described: OpenApiPaths | null = null;
  const put = (name: string, plugin: OpenPlugin): void => {
    plugins.set(name, plugin);
    described = null;
  };

  const find: PluginRoutes["find"] = (method, path) => {
    if (plugins.size === 0 || !path.startsWith(prefix)) return null;
    const end = path.indexOf("/", prefix.length);
    const name = end < 0 ? path.slice(prefix.length) : path.slice(prefix.length, end);
    const plugin = plugins.get(name);
    if (plugin === undefined) return null;
    const found = plugin.table.find(method, end < 0 ? "/" : path.slice(end));
    if (found === null || "template" in found) return found;
    return { template: found.any.template, allow: found.allow };
  };

  const call: PluginRoutes["call"] = async (caller, { name, method, path, body }) => {
    const live = plugins.get(name)?.live ?? null;
    if (live === null) throw new PluginFault("UNAVAILABLE", `The plugin ${name} is not available`);
    const [plain = ""] = path.split("?", 1);
    const found = isCanonicalPath(plain) ? plugins.get(name)?.table.find(method, plain) : null;
    if (!found) return { status: 404, json: { message: `${name} has no path ${plain.slice(0, 100)}` } };
    if ("any" in found) return { status: 405, json: { message: `${method} is not supported there` } };
    const { compiled } = found;
    if (compiled === null)
      throw new PluginFault("INVALID", "Plugins can't call this route: it belongs to the host");
    const request = callOf(compiled, path, body, caller);
    try {
      compiled.checkQuery(request.query);
      compiled.checkBody?.(body);
      return responseOf(
        await invokeRoute({ live, route: compiled, ...services, caller: `the plugin ${caller}` }, request),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.kind === "VALIDATION_FAILED")
        return { status: 422, json: { message: error.message, errors: error.errors ?? [] } };
      throw new PluginFault(error.kind === "PLUGIN_UNAVAILABLE" ? "UNAVAILABLE" : "FAILED", error.message);
    }
  };

  return {
    find,
    all: () => [...plugins.values()].flatMap(({ routes: own }) => own),
    call,
    live: () => [...plugins.values()].flatMap(({ live }) => (live === null ? [] : [live])),
    describe: () => (described ??= Object.assign({}, ...[...plugins.values()].map(({ paths }) => paths))),
    open: (live) => {
      const { name } = live.manifest;
      try {
        put(name, openPlugin(live, services));
      } catch (error) {
        services.log(name, "error", `Its routes cannot be opened: ${String(error)}`);
        put(name, suspendedPlugin(name));
      }
    },
    suspend: (name) => put(name, suspendedPlugin(name)),
    close: (name) => {
      services.breaker.forget(name);
      plugins.delete(name);
      described = null;
    },
  };
};

const responseOf = ({ status, headers, body, isJson }: Outcome): PluginResponse => {
  if (body === null) return { status, headers };
  if (typeof body !== "string") return { status, headers, base64: Buffer.from(body).toString("base64") };
  return isJson ? { status, headers, json: JSON.parse(body) } : { status, headers, text: body };
};
