import type { JsonSchema } from "#contract/json-schema.ts";
import type { LivePlugin } from "../live-plugin.ts";
import type { CompiledRoute } from "./compile-routes.ts";

/** Path items by path, as they stand in an OpenAPI 3.1 document. Source: OpenAPI 3.1 §4.8.9. */
export type OpenApiPaths = Record<string, Record<string, object>>;

/** The routes of a plugin as the API's description has them while it is on. */
export const openApiPaths = (
  live: Pick<LivePlugin, "manifest">,
  routes: readonly CompiledRoute[],
): OpenApiPaths => {
  const paths: OpenApiPaths = {};
  for (const route of routes) {
    const { method, path } = route.registered;
    const template = path === "/" ? "" : path.replace(/:([A-Za-z]\w*)/g, "{$1}");
    const at = `/api/${live.manifest.name}${template}`;
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(live, route) };
  }
  return paths;
};

const operationOf = ({ manifest }: Pick<LivePlugin, "manifest">, route: CompiledRoute): object => {
  const { method, path, access, summary } = route.registered;
  const parameters = [...pathParameters(path), ...queryParameters(route.query)];
  return {
    operationId: `${manifest.name}.${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "-")}`,
    tags: [manifest.title],
    summary: summary ?? `${method} ${path}`,
    security: access === "public" ? [] : [{ session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === null
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: route.body } } } }),
    responses: responsesOf(route),
  };
};

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

const queryParameters = (query: JsonSchema | null): object[] =>
  Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: query?.required?.includes(name) === true,
    schema,
  }));

const responsesOf = ({ registered, response, body, query }: CompiledRoute): Record<string, object> => {
  const schema = response === null ? {} : { schema: response };
  const failures: [status: number, description: string, when: boolean][] = [
    [401, "Nobody is signed in", registered.access !== "public"],
    [403, "Whoever is signed in may not do this", registered.access === "admin"],
    [422, "The body or the query does not fit", body !== null || query !== null],
    [502, "The plugin failed to answer", true],
    [503, "The plugin is not available", true],
  ];
  return {
    200: { description: "What the plugin answers", content: { "application/json": schema } },
    ...Object.fromEntries(
      failures.flatMap(([status, description, when]) => (when ? [[status, { description }]] : [])),
    ),
  };
};
