import { AppError } from "#api/core/app-error.ts";
import { checkAccess } from "#api/http/access-rule.ts";
import { errorStatus } from "#contract/errors.ts";
import { createSchemaCheck } from "#contract/json-schema.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission } from "#contract/plugins.ts";
import type { Json, Method, PluginRequest, Principal } from "#plugins/sdk/types.ts";
import { compileRoutes, createPathTable } from "../../dispatch/compile-routes.ts";
import { invokeRoute, noBreaker } from "../../dispatch/invoke-route.ts";
import { queryOf } from "../../dispatch/open-plugin.ts";
import type { Outcome } from "../../dispatch/read-outcome.ts";
import { compilePattern } from "../../package/compile-pattern.ts";
import type { PluginRuntime } from "../../runtime.ts";
import { PluginBuildError } from "../plugin-build-error.ts";

/** A call as a test makes it. */
export type KitCall = { method: Method; path: string; user: Principal | null; body: Json };

/** What came back: JSON parsed, anything else as text, bytes in base64. */
export type KitAnswer = { status: number; headers: Record<string, string>; body: Json };

type Called = { manifest: Manifest; runtime: PluginRuntime; granted: readonly Permission[] };

/** Answers calls of a plugin's routes as a server does: access, schemas, then the handler. */
export const createKitRoutes = (called: Called, log: (level: "error" | "warn", line: string) => void) => {
  const { manifest, runtime, granted } = called;
  const compiled = compileRoutes(runtime.registration, granted);
  const table = createPathTable(
    compiled.map((route) => ({
      path: route.registered.path,
      entry: { method: route.registered.method, route },
    })),
  );
  const live = { manifest, runtime, granted, version: manifest.version, sha256: "" };

  const answer = async ({ method, path, user, body }: KitCall): Promise<Outcome> => {
    const [plain = "", search = ""] = path.split("?", 2);
    const found = table.find(method, plain);
    if (found === null || "allow" in found)
      throw new AppError(found === null ? "NOT_FOUND" : "METHOD_NOT_ALLOWED");
    const { route } = found;
    checkAccess(actorOf(user), route.registered.access);
    route.checkBody?.(body);
    const query = queryOf(`?${search}`);
    route.checkQuery(query);
    const request: PluginRequest = {
      ...{ id: crypto.randomUUID(), method, path: plain, params: route.paramsOf(plain), query },
      ...{ headers: {}, body, user, ip: "127.0.0.1" },
    };
    return invokeRoute(
      { live, route, log: (_, level, line) => log(level, line), breaker: noBreaker, caller: request.ip },
      request,
    );
  };

  return async (call: KitCall): Promise<KitAnswer> => {
    try {
      return shown(await answer(call));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { kind, message, errors } = error;
      const body = { success: false, code: kind, message, ...(errors ? { errors } : {}) };
      return { status: errorStatus[kind], headers: {}, body };
    }
  };
};

const actorOf = (user: Principal | null): Parameters<typeof checkAccess>[0] =>
  user === null ? { kind: "visitor" } : asActor(user);

/** Who may call what is decided by the role alone. */
const asActor = (user: Principal): Parameters<typeof checkAccess>[0] =>
  ({ kind: "user", user }) as unknown as Parameters<typeof checkAccess>[0];

const shown = ({ status, headers, body, isJson }: Outcome): KitAnswer => {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("base64") : body;
  return { status, headers: { ...headers }, body: isJson && text !== null ? JSON.parse(text) : text };
};

/** What settings tests give, as admins would: secrets apart. Throws `PluginBuildError` for what does not fit the schema. */
export const splitSettings = (
  { settings }: Pick<Manifest, "settings">,
  given: Record<string, Json>,
): { plain: Record<string, Json>; secrets: Map<string, string> } => {
  const plain: Record<string, Json> = {};
  const secrets = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (settings?.schema.properties[name]?.["x-secret"] === true) secrets.set(name, String(value));
    else plain[name] = value;
  }
  const { required: _, ...schema } = settings?.schema ?? { type: "object", additionalProperties: false };
  const problems = createSchemaCheck(schema, { compilePattern })(plain);
  if (problems.length > 0) throw new PluginBuildError("The settings do not fit the manifest", { problems });
  return { plain, secrets };
};
