import { Kind } from "@sinclair/typebox";
import { failure, failures } from "#api/modules/fields.ts";
import type { DescribedParameter } from "./document/described.ts";
import type { DescribedOperation, DescribedPaths, DescribedResponse } from "./document/paths.ts";
import { isSchema, type Schema } from "./document/plain-schema.ts";
import { generalFailures } from "./general-failures.ts";
import { type DeclaredRoute, scopeOf } from "./route-table.ts";

/** Names the scheme of the session cookie in the description. */
export const sessionScheme = "session";

/** Names the scheme of API tokens. */
export const tokenScheme = "token";

/** Names the scheme of the token for those who watch the process; routes that take it say so in their details. */
export const metricsScheme = "metrics";

/** Names the scheme of the control socket. */
export const operatorScheme = "operator";

/** Where the description has the route of a path as Elysia writes it. */
export const describedPath = (path: string): string =>
  path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, `{${restName}}`);

/** What the rest of a path is called, which OpenAPI has no sign for. */
const restName = "path";

/**
 * Describes the application's own routes as the package does, `written` being its work, with what only the door knows:
 * who may call each, and what comes in its body. Bodies are read before Elysia is asked, so that the package finds no
 * reader of its own for them and names no media type.
 */
export const completeOperations = (
  written: DescribedPaths,
  routes: readonly DeclaredRoute[],
): DescribedPaths => {
  const paths: DescribedPaths = {};
  for (const { method, path, hooks } of routes) {
    const operation = written[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const at = describedPath(path);
    paths[at] = { ...paths[at], [method.toLowerCase()]: completed(operation, { method, path, hooks }) };
  }
  return paths;
};

type Hooks = { access?: string; upload?: string; body?: unknown; query?: unknown };

const completed = (operation: DescribedOperation, route: DeclaredRoute): DescribedOperation => {
  const { method, path } = route;
  const { access = "", upload, body, query } = asHooks(route.hooks);
  const { parameters = [], requestBody } = operation;
  const rest = {
    name: restName,
    in: "path",
    required: true,
    schema: { type: "string", description: restText },
  };
  const all = path.endsWith("*") ? [...parameters, rest] : parameters;
  return {
    ...operation,
    operationId: operationIdOf(method, path),
    security: operation.security ?? securityOf(access, scopeOf(route)),
    responses: { ...generalOf(route), ...operation.responses },
    ...(all.length === 0 ? {} : { parameters: all.map((parameter) => withDefault(parameter, query)) }),
    // A route that reads messages describes them itself.
    ...(requestBody === undefined || (upload === undefined && body === undefined)
      ? {}
      : { requestBody: { ...requestBody, content: contentOf(upload, isSchema(body) ? body : {}) } }),
  };
};

/** The failures that a route need not name, by status. */
const generalOf = (route: DeclaredRoute): Record<string, DescribedResponse> =>
  Object.fromEntries(
    Object.keys(failures(...generalFailures(route))).map((status) => [
      status,
      { content: { "application/json": { schema: failure } } },
    ]),
  );

const restText = "The rest of the address: the file's path, with its slashes as they are";

/** Who gets in where: admins' calls are the operator's as well, who is no person and has no account. */
const securityOf = (access: string, scope: ReturnType<typeof scopeOf>): object[] => {
  if (access === "user") return [{ [sessionScheme]: [] }];
  if (access === "operator") return [{ [operatorScheme]: [] }];
  if (access !== "admin") return [];
  const token = { [tokenScheme]: scope === null || scope === "any" ? [] : [scope] };
  const tokens = scope === "none" ? [] : [token];
  return [{ [sessionScheme]: ["admin"] }, ...tokens, { [operatorScheme]: [] }];
};

/** What has a default may be left out, though whoever handles the call always finds it. */
const withDefault = (parameter: DescribedParameter, query: unknown): DescribedParameter => {
  const { name, in: place, required = false } = parameter;
  const { default: _made, ...schema } = parameter.schema ?? {};
  const declared: unknown = Reflect.get(Object(Reflect.get(Object(query), "properties")), name);
  // The package loses that of choices, and the framework makes one up for lists of words.
  const initial: unknown =
    place !== "query" || Reflect.get(Object(declared), Kind) === "UnionEnum"
      ? undefined
      : (Reflect.get(Object(declared), "default") ?? parameter.schema?.default);
  return {
    ...parameter,
    required: required && initial === undefined,
    schema: initial === undefined ? schema : { ...schema, default: initial },
  };
};

const contentOf = (upload: string | undefined, body: Schema): Record<string, { schema: Schema }> =>
  upload === undefined
    ? { "application/json": { schema: body } }
    : { "multipart/form-data": { schema: formOf(upload) } };

/** A form with one file, as OpenAPI 3.1 has it. Source: OpenAPI 3.1 §4.8.14.2. */
const formOf = (field: string): Schema => ({
  type: "object",
  required: [field],
  properties: { [field]: { type: "string", contentMediaType: "application/octet-stream" } },
});

/** A name that generated clients can use as it is: `getAuthVerifyEmailByToken` for `GET /api/auth/verify-email/:token`. */
const operationIdOf = (method: string, path: string): string => {
  const parts = path.replace(/^\/api\//, "").replace(/\*$/, `:${restName}`);
  const words = parts.replaceAll(":", "by-").split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
};

/** A route's own words, as the door's macros take them. */
const asHooks = (hooks: unknown): Hooks => hooks as Hooks;
