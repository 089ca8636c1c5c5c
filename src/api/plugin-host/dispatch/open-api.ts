import { STATUS_CODES } from "node:http";
import { isSafeMethod } from "#api/http/body.ts";
import { documentTags } from "#api/http/document/complete.ts";
import { generalFailures, proofFacts } from "#api/http/document/general-failures.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import type { JsonSchema } from "#contract/json-schema.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { LivePlugin } from "../runtime.ts";
import type { CompiledRoute, ReadAnswer } from "./compile-routes.ts";

/** Where the host responds for a plugin that doesn't. */
export const configPath = "/config";

/** Methods of routes that can have a body. */
export const mayHaveBody: readonly string[] = ["POST", "PUT", "PATCH"];

/** Path items by path, as in an OpenAPI 3.1 document. Source: OpenAPI 3.1 §4.8.9. */
export type OpenApiPaths = Record<string, Record<string, object>>;

/** The routes of an enabled plugin in the API document. */
export const openApiPaths = (
  live: Pick<LivePlugin, "manifest">,
  routes: readonly CompiledRoute[],
): OpenApiPaths => {
  const paths: OpenApiPaths = {};
  // First, so that the plugin's own route overrides it.
  paths[`/api/${live.manifest.name}${configPath}`] = { get: configOperation(live) };
  for (const route of routes) {
    const { method, path } = route.registered;
    const template = path === "/" ? "" : path.replace(/:([A-Za-z]\w*)/g, "{$1}");
    const at = `/api/${live.manifest.name}${template}`;
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(live, route) };
  }
  return paths;
};

/** The tag of a plugin's endpoints, which is never one of the application's own. */
const tagOf = ({ name, title }: LivePlugin["manifest"]): string =>
  documentTags.some((tag) => tag.name === title) ? `${title} (${name})` : title;

const operationOf = ({ manifest }: Pick<LivePlugin, "manifest">, route: CompiledRoute): object => {
  const { method, path, access, summary, description } = route.registered;
  const parameters = [...pathParameters(route), ...queryParameters(route.query)];
  return {
    operationId: `${manifest.name}.${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "-")}`,
    tags: [tagOf(manifest)],
    summary: summary ?? `${method} ${path}`,
    description:
      description ?? `An endpoint of the plugin ${manifest.title}, which doesn't describe it further.`,
    security: securityOf(access, method),
    ...proofFacts(route.proof),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === null ? {} : { requestBody: requestBodyOf(route.body, route) }),
    responses: routeResponses(manifest.name, route, mayHaveBody.includes(method)),
  };
};

/**
 * Security requirements, as for the application's own endpoints. The operator can call everything; tokens can call what
 * is for admins, but never what is for signed-in users.
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
      // Without an example, tools would generate one that may not fit.
      ...(bodyExample === undefined ? { examples: {} } : { example: bodyExample }),
    },
  },
});

const pathParameters = ({ registered, params }: CompiledRoute): object[] =>
  [...registered.path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: wordsOf(params, name) ?? `Path parameter \`${name}\` of the plugin`,
    schema: { type: "string" },
  }));

/** The description of a name, which may be one that every object has: `constructor`. */
const wordsOf = (params: CompiledRoute["params"], name: string): string | undefined =>
  Object.hasOwn(params, name) ? params[name] : undefined;

const queryParameters = (query: JsonSchema | null): object[] =>
  Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: query?.required?.includes(name) === true,
    description: schema.description ?? `Parameter \`${name}\` of the plugin`,
    schema,
  }));

/** The host's response to `GET /config` for a plugin that has no such route. */
const configOperation = ({ manifest }: Pick<LivePlugin, "manifest">): object => ({
  operationId: `${manifest.name}.host-config`,
  tags: [tagOf(manifest)],
  summary: "Its panel, and its settings without secrets",
  description:
    "What the admin area shows of the plugin: the panel from its manifest, overridden by what the " +
    "running plugin reports, and its settings without secrets.",
  security: securityOf("admin", "GET"),
  responses: configResponses(manifest.name),
});

type Responses = Record<string, object>;

/**
 * The possible responses of a plugin's route: what its author describes, what the host refuses before the plugin runs,
 * and what the host responds if it fails. `takesBody`: whether it can have a body.
 */
const routeResponses = (plugin: string, route: CompiledRoute, takesBody: boolean): Responses => {
  const { method, path, access } = route.registered;
  const ofHost = failuresOf([
    ...generalFailures({
      method,
      path: `/api/${plugin}${path}`,
      hooks: { access, proof: route.proof, ...(takesBody || route.body !== null ? { body: {} } : {}) },
    }),
    ...(access === "public" ? [] : (["NOT_SIGNED_IN", "FORBIDDEN"] as const)),
    "PLUGIN_ERROR",
    "PLUGIN_UNAVAILABLE",
  ]);
  const ofPlugin = Object.entries(route.answers).map(([status, answer]) => [
    status,
    answerOf(answer, Number(status), ofHost[status]?.kinds ?? null),
  ]);
  return {
    ...openEnd(route),
    ...Object.fromEntries(Object.keys(ofHost).map((status) => [status, referenceTo(status)])),
    ...Object.fromEntries(ofPlugin),
  };
};

/** Says that the author describes nothing. */
const openEnd = ({ answers, isOpenEnded }: CompiledRoute): Responses => {
  if (!isOpenEnded) return {};
  const silent = "The plugin doesn't describe this response";
  const any = { "application/json": { schema: { description: silent }, example: {} }, "*/*": {} };
  return {
    ...("200" in answers ? {} : { 200: { description: silent, content: any } }),
    default: {
      description: "Whatever else the plugin answers, which it does not describe",
      content: { "*/*": {} },
    },
  };
};

/** The host's response to `/config` on behalf of a plugin. */
const configResponses = (plugin: string): Responses => {
  const failures = failuresOf([
    ...generalFailures({ method: "GET", path: `/api/${plugin}/config`, hooks: { access: "admin" } }),
    "NOT_SIGNED_IN",
    "FORBIDDEN",
    "PLUGIN_UNAVAILABLE",
  ]);
  return {
    200: { description: "Panel and settings", content: { "application/json": configAnswer } },
    ...Object.fromEntries(Object.keys(failures).map((status) => [status, referenceTo(status)])),
  };
};

const texts = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

const configAnswer = {
  schema: {
    type: "object",
    required: ["success", "data"],
    properties: {
      success: { const: true },
      data: {
        type: "object",
        required: ["adminPanel", "settings"],
        properties: {
          adminPanel: {
            type: ["object", "null"],
            required: ["enabled"],
            properties: {
              enabled: { type: "boolean" },
              menuItem: texts("title", "description", "icon", "path"),
              card: texts("title", "description", "icon", "color", "buttonText", "path"),
            },
          },
          settings: { type: "object", additionalProperties: true },
        },
      },
    },
  },
  example: { success: true, data: { adminPanel: { enabled: true }, settings: { greeting: "Hello" } } },
};

/** Error codes by status. */
const failuresOf = (kinds: readonly ErrorKind[]): Record<string, { kinds: ErrorKind[] }> => {
  const byStatus: Record<string, { kinds: ErrorKind[] }> = {};
  for (const kind of new Set(kinds)) {
    const status = errorStatus[kind];
    byStatus[status] ??= { kinds: [] };
    byStatus[status].kinds.push(kind);
  }
  return byStatus;
};

/** Shared: repeated at each route, errors would be most of the document. */
const referenceTo = (status: string): object => ({ $ref: `#/components/responses/Failure${status}` });

const failureSchema = { $ref: "#/components/schemas/Failure" };

const answerOf = (answer: ReadAnswer, status: number, kinds: ErrorKind[] | null): object => {
  const { description, schema, texts: others } = answer;
  const isRefusal = status >= 400;
  const json =
    schema === null
      ? isRefusal && { schema: failureSchema }
      : { schema: kinds === null ? schema : { anyOf: [schema, failureSchema] }, ...exampleOf(answer) };
  const content = {
    ...(json ? { "application/json": { ...json, ...(schema === null ? exampleOf(answer, true) : {}) } } : {}),
    ...Object.fromEntries(
      Object.entries(others).map(([type, example]) => [type, { schema: { type: "string" }, example }]),
    ),
  };
  return {
    description: kinds === null ? description : `${description}; or ${namesOf(status, kinds)}`,
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
};

/** Without an example, one would be generated from a schema that it may not fit. */
const exampleOf = ({ example }: ReadAnswer, mayBeGuessed = false): object => {
  if (example !== undefined) return { example };
  return mayBeGuessed ? {} : { examples: {} };
};

const namesOf = (status: number, kinds: readonly ErrorKind[]): string =>
  `${STATUS_CODES[status]}: ${kinds.map((kind) => `\`${kind}\``).join(", ")}`;
