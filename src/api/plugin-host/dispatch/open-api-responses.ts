import { STATUS_CODES } from "node:http";
import { generalFailures } from "#api/http/general-failures.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import type { CompiledRoute } from "./compile-routes.ts";
import type { ReadAnswer } from "./read-answers.ts";

type Responses = Record<string, object>;

/**
 * What a call of a plugin's route can come to: what its author says, what the host refuses before the plugin hears of
 * it, and what the host says in its place when it fails. `takesBody`: whether a body may come at all.
 */
export const routeResponses = (plugin: string, route: CompiledRoute, takesBody: boolean): Responses => {
  const { method, path, access } = route.registered;
  const ofHost = failuresOf([
    ...generalFailures({
      method,
      path: `/api/${plugin}${path}`,
      hooks: takesBody || route.body !== null ? { access, body: {} } : { access },
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

/** What is said where an author says nothing: that this is so. */
const openEnd = ({ answers, isOpenEnded }: CompiledRoute): Responses => {
  if (!isOpenEnded) return {};
  const silent = "The plugin does not describe this answer";
  const any = { "application/json": { schema: { description: silent }, example: {} }, "*/*": {} };
  return {
    ...("200" in answers ? {} : { 200: { description: silent, content: any } }),
    default: {
      description: "Whatever else the plugin answers, which it does not describe",
      content: { "*/*": {} },
    },
  };
};

/** What the host answers at `/config` in a plugin's name. */
export const configResponses = (plugin: string): Responses => {
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

/** Kinds of failures by the status that they are answered with. */
const failuresOf = (kinds: readonly ErrorKind[]): Record<string, { kinds: ErrorKind[] }> => {
  const byStatus: Record<string, { kinds: ErrorKind[] }> = {};
  for (const kind of new Set(kinds)) {
    const status = errorStatus[kind];
    byStatus[status] ??= { kinds: [] };
    byStatus[status].kinds.push(kind);
  }
  return byStatus;
};

/** Written out at each route, failures would be most of the document. */
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

/** Without any of its own, one would be guessed from a schema that it need not fit. */
const exampleOf = ({ example }: ReadAnswer, mayBeGuessed = false): object => {
  if (example !== undefined) return { example };
  return mayBeGuessed ? {} : { examples: {} };
};

const namesOf = (status: number, kinds: readonly ErrorKind[]): string =>
  `${STATUS_CODES[status]}: ${kinds.map((kind) => `\`${kind}\``).join(", ")}`;
