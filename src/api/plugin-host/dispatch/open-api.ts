import { documentTags } from "#api/http/document/tags.ts";
import { isSafeMethod } from "#api/http/forged-call.ts";
import type { JsonSchema } from "#contract/json-schema.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { LivePlugin } from "../live-plugin.ts";
import type { CompiledRoute } from "./compile-routes.ts";
import { configResponses, routeResponses } from "./open-api-responses.ts";

/** Where the host answers for a plugin that does not do so itself. */
export const configPath = "/config";

/** Methods of routes to which a body may come. */
export const mayHaveBody: readonly string[] = ["POST", "PUT", "PATCH"];

/** Path items by path, as they stand in an OpenAPI 3.1 document. Source: OpenAPI 3.1 §4.8.9. */
export type OpenApiPaths = Record<string, Record<string, object>>;

/** The routes of a plugin as the API's description has them while it is on. */
export const openApiPaths = (
  live: Pick<LivePlugin, "manifest">,
  routes: readonly CompiledRoute[],
): OpenApiPaths => {
  const paths: OpenApiPaths = {};
  // First, so that a route of the plugin's own stands over it.
  paths[`/api/${live.manifest.name}${configPath}`] = { get: configOperation(live) };
  for (const route of routes) {
    const { method, path } = route.registered;
    const template = path === "/" ? "" : path.replace(/:([A-Za-z]\w*)/g, "{$1}");
    const at = `/api/${live.manifest.name}${template}`;
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(live, route) };
  }
  return paths;
};

/** The group of a plugin's calls, which is never one of the application's own. */
const tagOf = ({ name, title }: LivePlugin["manifest"]): string =>
  documentTags.some((tag) => tag.name === title) ? `${title} (${name})` : title;

const operationOf = ({ manifest }: Pick<LivePlugin, "manifest">, route: CompiledRoute): object => {
  const { method, path, access, summary, description } = route.registered;
  const parameters = [...pathParameters(route), ...queryParameters(route.query)];
  return {
    operationId: `${manifest.name}.${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "-")}`,
    tags: [tagOf(manifest)],
    summary: summary ?? `${method} ${path}`,
    description: description ?? `A call of the plugin ${manifest.title}, which says nothing more about it.`,
    security: securityOf(access, method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === null ? {} : { requestBody: requestBodyOf(route.body, route) }),
    responses: routeResponses(manifest.name, route, mayHaveBody.includes(method)),
  };
};

/**
 * Who gets in where, as the application's own calls say it. The operator gets everywhere; tokens get to what is for
 * admins, and to what is for people with an account never.
 */
const securityOf = (access: CompiledRoute["registered"]["access"], method: string): object[] => {
  if (access === "public") return [];
  if (access === "user") return [{ session: [] }, { operator: [] }];
  const scope = isSafeMethod(method) ? "plugins:read" : "plugins:write";
  return [{ session: ["admin"] }, { token: [scope] }, { operator: [] }];
};

const requestBodyOf = (schema: JsonSchema, { bodyExample }: CompiledRoute): object => ({
  description: `JSON of at most ${pluginLimits.bodyBytes / 1_000_000} MB`,
  required: true,
  content: {
    "application/json": {
      schema,
      // Without any of its own, one would be guessed that need not fit.
      ...(bodyExample === undefined ? { examples: {} } : { example: bodyExample }),
    },
  },
});

const pathParameters = ({ registered, params }: CompiledRoute): object[] =>
  [...registered.path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: wordsOf(params, name) ?? `The part of the path that the plugin calls ${name}`,
    schema: { type: "string" },
  }));

/** What is said of a name, which may be one that every object knows: `constructor`. */
const wordsOf = (params: CompiledRoute["params"], name: string): string | undefined =>
  Object.hasOwn(params, name) ? params[name] : undefined;

const queryParameters = (query: JsonSchema | null): object[] =>
  Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: query?.required?.includes(name) === true,
    description: schema.description ?? `What the plugin calls ${name}`,
    schema,
  }));

/** What the host answers at `GET /config` for a plugin that has no such route. */
const configOperation = ({ manifest }: Pick<LivePlugin, "manifest">): object => ({
  operationId: `${manifest.name}.host-config`,
  tags: [tagOf(manifest)],
  summary: "Its panel and its settings, without secrets",
  description:
    "What the admin area shows of the plugin: the panel of its manifest, with what the running plugin says of itself over it, and its settings, of which secrets are left out.",
  security: securityOf("admin", "GET"),
  responses: configResponses(manifest.name),
});
