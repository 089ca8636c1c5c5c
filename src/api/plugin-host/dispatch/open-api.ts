import type { JsonSchema } from "#contract/json-schema.ts";
import type { LivePlugin } from "../live-plugin.ts";
import type { CompiledRoute } from "./compile-routes.ts";

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

const operationOf = ({ manifest }: Pick<LivePlugin, "manifest">, route: CompiledRoute): object => {
  const { method, path, access, summary } = route.registered;
  const parameters = [...pathParameters(path), ...queryParameters(route.query)];
  return {
    operationId: `${manifest.name}.${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "-")}`,
    tags: [manifest.title],
    summary: summary ?? `${method} ${path}`,
    security: securityOf[access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === null
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: route.body } } } }),
    responses: responsesOf(route),
  };
};

/** Who gets in where, as the application's own calls say it. */
const securityOf: Record<CompiledRoute["registered"]["access"], object[]> = {
  public: [],
  user: [{ session: [] }],
  admin: [{ session: ["admin"] }, { operator: [] }],
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
  const { method, access } = registered;
  const takesBody = body !== null || mayHaveBody.includes(method);
  return {
    200: answerOf("What the plugin answers", response),
    ...failuresOf([
      [400, "The request could not be read", takesBody],
      [401, "Nobody is signed in", access !== "public"],
      [403, access === "admin" ? notAllowed : "A rule or another site's page stopped the call", true],
      [408, "The body did not arrive in time", takesBody],
      [413, "The body is larger than 1 MB", takesBody],
      [415, "The body is no JSON", takesBody],
      [422, "The body or the query does not fit", body !== null || query !== null],
      [429, "Too many calls", true],
      [502, "The plugin failed to answer", true],
      [503, "The plugin is not available", true],
    ]),
  };
};

const notAllowed = "Whoever is signed in may not do this, or a rule or another site's page stopped the call";

const answerOf = (description: string, schema: object | null): object => ({
  description,
  content: { "application/json": schema === null ? {} : { schema } },
});

// Where the description has the body of every failed call: written out at each route it would be most of it.
const failureSchema = { $ref: "#/components/schemas/Failure" };

const failuresOf = (all: [status: number, description: string, when: boolean][]): Record<string, object> =>
  Object.fromEntries(
    all.flatMap(([status, description, when]) =>
      when ? [[status, answerOf(description, failureSchema)]] : [],
    ),
  );

/** What the host answers at `GET /config` for a plugin that has no such route. */
const configOperation = ({ manifest }: Pick<LivePlugin, "manifest">): object => ({
  operationId: `${manifest.name}.host-config`,
  tags: [manifest.title],
  summary: "Its panel and its settings, without secrets",
  security: [{ session: [] }],
  responses: {
    200: answerOf("Panel and settings", {
      type: "object",
      required: ["success", "data"],
      properties: {
        success: { const: true },
        data: {
          type: "object",
          required: ["adminPanel", "settings"],
          properties: { adminPanel: { type: ["object", "null"] }, settings: { type: "object" } },
        },
      },
    }),
    ...failuresOf([
      [401, "Nobody is signed in", true],
      [403, notAllowed, true],
      [429, "Too many calls", true],
      [503, "The plugin is not available", true],
    ]),
  },
});
