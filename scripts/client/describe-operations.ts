import type { Operation as DeclaredOperation } from "../../src/api/contract/operation.ts";
import { coreOperations as operations } from "../../src/api/operations.ts";
import type { Operation } from "../../src/client/options.ts";

/** An operation with all that its function and its types are written from. */
export type NamedOperation = Operation & {
  group: string;
  name: string;
  described: DescribedOperation;
  pathParameters: Parameter[];
  query: Parameter[];
  body: Schema | null;
  /** Whether there is something that a body has to say. */
  isBodyNeeded: boolean;
  /** What is answered, without its envelope. */
  answer: Schema;
  takesKey: boolean;
};

/** The document's operations that a program may call. Throws for one without a name, and for a name used twice. */
export const describeOperations = (document: ApiDocument): NamedOperation[] => {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  );
  const wanted = all.filter(({ method, path }) => !isWithoutFunction(`${method} ${path}`));
  const unnamed = wanted.map(keyOf).filter((key) => operationNames[key] === undefined);
  if (unnamed.length > 0)
    throw new Error(`without a name in scripts/client/describe-operations.ts: ${unnamed.join(", ")}`);
  const named = wanted.map((call) => nameOperation(document, call));
  const names = named.map(({ group, name }) => `${group}.${name}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`named twice: ${twice.join(", ")}`);
  return named;
};

type Call = { method: string; path: string; described: DescribedOperation };
const keyOf = ({ method, path }: Call): string => `${method} ${path}`;

const nameOperation = (document: ApiDocument, call: Call): NamedOperation => {
  const { method, path, described } = call;
  const fullName = operationNames[keyOf(call)] ?? "";
  const [group = "", name = ""] = fullName.split(".");
  const { parameters = [], requestBody } = described;
  const form = requestBody?.content["multipart/form-data"]?.schema;
  const field = form && Object.keys(resolveIn(document, form).properties ?? {})[0];
  const body = requestBody?.content["application/json"]?.schema ?? null;
  const query = parameters.filter((parameter) => parameter.in === "query");
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, part = ""]) =>
      parameters.find((parameter) => parameter.in === "path" && parameter.name === part) ?? {
        name: part,
        in: "path",
      },
  );
  const { type, schema } = successOf(document, described);
  return {
    group,
    name,
    method,
    path,
    described,
    pathParameters,
    query,
    body,
    isBodyNeeded: body !== null && (resolveIn(document, body).required ?? []).length > 0,
    takes: [
      ...pathParameters.map(() => "path" as const),
      ...(field === undefined ? [] : ["file" as const]),
      ...(body === null ? [] : ["body" as const]),
      ...(query.length === 0 ? [] : ["query" as const]),
    ],
    answers: answersOf(fullName, type),
    answer: withoutEnvelope(document, schema),
    takesKey: parameters.some((parameter) => parameter.name === "idempotency-key"),
    ...(field === undefined ? {} : { field }),
  };
};

const answersOf = (name: string, type: string): Operation["answers"] => {
  if (eventTypes[name] !== undefined) return "events";
  return type === "application/json" && !fileAnswers.includes(name) ? "data" : "response";
};

const successOf = (document: ApiDocument, { responses }: DescribedOperation) => {
  const [, response = {}] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const [type = "", media = {}] = Object.entries(resolveIn(document, response).content ?? {})[0] ?? [];
  return { type, schema: media.schema ?? {} };
};

const withoutEnvelope = (document: ApiDocument, schema: Schema): Schema => {
  const { properties } = resolveIn(document, schema);
  return properties?.success && properties.data ? properties.data : schema;
};

const describedAs = ({ endpoint }: DeclaredOperation): string => endpoint.replace(/:(\w+)/g, "{$1}");

/** What each call is named in the client: its group, as the command line names things, and its function. */
const operationNames: { readonly [operation: string]: string } = {
  ...Object.fromEntries(operations.map(({ id, operation }) => [describedAs(operation), id])),
  "GET /api/ready": "system.ready",
  "GET /api/metrics": "system.metrics",
  "GET /swagger/json": "system.document",
  "POST /api/plan/{operation}": "plans.make",
  "GET /api/admin/activity/stream": "activity.watch",
  "GET /api/plugin-host/manifest.schema.json": "plugins.manifestSchema",
  "POST /api/plugins/inspect": "plugins.inspect",
  "POST /api/plugins/upload": "plugins.upload",
  "GET /api/plugins/{name}/starter": "plugins.starter",
};

/**
 * Requests that browsers send on their own, as navigations or for a page, and those of another
 * protocol. `*` is any rest of a path.
 */
const withoutFunction = [
  "POST /mcp",
  // The same as POST, for links.
  "GET /api/auth/logout",
  "GET /api/auth/google*",
  "GET /api/auth/github*",
  "GET /api/auth/{provider}*",
  // Sent by providers.
  "POST /api/auth/{provider}/backchannel-logout",
  "GET /api/plugins/{name}/assets/*",
  "GET /api/plugins/{name}/frame",
  "GET /api/plugins/site-scripts",
  "GET /api/plugin-host/{file}",
] as const;

/** Operations whose answer is a file, which the document cannot say of those that are JSON or text by their form. */
const fileAnswers: readonly string[] = [
  "account.export",
  ...operations.flatMap(({ id, operation }) => (operation.responds === "file" ? [id] : [])),
];

/** Operations that answer events: what one of them is, in the terms of the other answers' types. */
export const eventTypes: { readonly [operation: string]: string } = {
  "activity.watch": `
  | { event: "activity"; id: string; data: ActivityListAnswer["activities"][number] }
  /** Some activities were skipped: load the list again. */
  | { event: "gap"; id: string; data: { through: number } }`,
};

/** Whether a call has no function. */
const isWithoutFunction = (operation: string): boolean =>
  withoutFunction.some((pattern) =>
    pattern.endsWith("*") ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern,
  );

/** A JSON Schema as OpenAPI 3.1 has it, as far as the client and the checks of the document read it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: { [name: string]: Schema };
  patternProperties?: { [pattern: string]: Schema };
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  contentMediaType?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
type Media = { schema?: Schema };
export type Response = { $ref?: string; description?: string; content?: { [type: string]: Media } };

/** One call. */
export type DescribedOperation = {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: { [type: string]: Media } };
  responses: { [status: string]: Response };
};

/** The API's own description, as `GET /swagger/json` answers it. */
export type ApiDocument = {
  info: { version: string };
  paths: { [path: string]: { [method: string]: DescribedOperation } };
  components?: { schemas?: { [name: string]: Schema }; responses?: { [name: string]: Response } };
};

/** What a reference within the document is to, or the thing itself. Throws for one that leads nowhere. */
export const resolveIn = <Thing extends { $ref?: string }>(document: ApiDocument, thing: Thing): Thing => {
  if (thing.$ref === undefined) return thing;
  const [, ...steps] = thing.$ref.split("/");
  const found: unknown = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), document);
  if (typeof found !== "object" || found === null) throw new Error(`${thing.$ref} leads nowhere`);
  return resolveIn(document, found as Thing);
};
