import type { Route } from "#api/door/exchange.ts";
import { operations } from "#api/operations.ts";
import { allows, type TokenScope } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import type { OperationTool } from "#contract/operation.ts";
import { planPath } from "#contract/plan.ts";
import type { ReadDocument } from "../document/api-document.ts";
import type { RouteTable } from "../route-table.ts";

/** Where an argument goes in the call; `file` is the package, `plan` what is to be planned. */
type ArgumentPlace = "path" | "query" | "body" | "file" | "confirm" | "plan";

/** A tool, ready to be listed and called. */
export type ReadyTool = Tool & {
  route: Route;
  /** The scope that a token needs for it; `any` is none in particular. */
  needs: TokenScope | "any";
  places: ReadonlyMap<string, ArgumentPlace>;
  /** The tool as it is described to clients. */
  told: PlainSchema;
};

/** All tools by name, in their order. */
export type Toolbox = ReadonlyMap<string, ReadyTool>;

/** The argument that holds a package. */
export const packageField = "packageBase64";

const inputDepth = 8;
const outputDepth = 3;

/** Makes the tools of what the API's description says of their calls. Throws for one that has no such call. */
export const createToolbox = async (readDocument: ReadDocument, routes: RouteTable): Promise<Toolbox> => {
  const { paths, components } = asSchema(await readDocument());
  const described = { paths: asSchema(paths), named: asSchema(asSchema(components).schemas) };
  return new Map(tools.map((tool) => [tool.name, ready(tool, described, routes)]));
};

/** Whether a token may use a tool. */
export const mayUse = (scopes: readonly TokenScope[], { needs }: Pick<ReadyTool, "needs">): boolean =>
  needs === "any" || allows(scopes, needs);

/** The API's description, as far as it is read here. */
type Described = { paths: PlainSchema; named: PlainSchema };

const ready = (tool: Tool, { paths, named }: Described, { all }: RouteTable): ReadyTool => {
  const route = all.find(({ method, template }) => `${method} ${template}` === tool.call);
  const needs = tool.scope ?? route?.scope ?? null;
  if (route === undefined || needs === null || needs === "none")
    throw new Error(`there is no call for the tool ${tool.name}`);
  const path = asSchema(paths[route.template.replace(/:(\w+)/g, "{$1}")]);
  const operation = asSchema(path[route.method.toLowerCase()]);
  const fields = tool.plans ? plannedArguments : fieldsOf({ tool, route, operation, named });
  const isReading = needs === "any" || needs.endsWith(":read") || route.method === "GET";
  return {
    ...tool,
    route,
    needs,
    places: new Map(fields.map(({ name, place }) => [name, place])),
    told: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
        required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        additionalProperties: false,
      },
      outputSchema: schemaForModels(answerIn(operation), { depth: outputDepth, named }),
      annotations: {
        readOnlyHint: isReading,
        // Of what only reads they mean nothing.
        ...(isReading
          ? {}
          : { destructiveHint: tool.isDestructive === true, idempotentHint: tool.isRepeatable === true }),
        openWorldHint: false,
      },
    },
  };
};

type Field = { name: string; place: ArgumentPlace; schema: PlainSchema; isRequired: boolean };

type CallOfTool = { tool: Tool; route: Route; operation: PlainSchema; named: PlainSchema };

const fieldsOf = (call: CallOfTool): Field[] => {
  const { tool, operation, named } = call;
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  const { confirms, fixed = {}, omits = [] } = tool;
  const fields = [...parameters.map((one) => parameterOf(one, named)), ...bodyFields(call)].filter(
    ({ name }) => !(name in fixed) && !omits.includes(name),
  );
  if (confirms !== undefined) fields.push(confirmField(confirms));
  const names = new Set(fields.map(({ name }) => name));
  if (names.size < fields.length) throw new Error(`the tool ${tool.name} has two arguments of one name`);
  return fields;
};

const parameterOf = (parameter: unknown, named: PlainSchema): Field => {
  const { name, in: place, required, schema, description } = asSchema(parameter);
  const words = typeof description === "string" ? { description } : {};
  return {
    name: String(name),
    place: place === "path" ? "path" : "query",
    schema: { ...schemaForModels(schema, { depth: inputDepth, named }), ...words },
    isRequired: required === true && asSchema(schema).default === undefined,
  };
};

const bodyFields = ({ route: { bodyKind }, operation, named }: CallOfTool): Field[] => {
  if (bodyKind === "upload") return [packageArgument];
  const { content } = asSchema(operation.requestBody);
  const schema = asSchema(asSchema(asSchema(content)["application/json"]).schema);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asSchema(schema.properties)).map(([name, field]) => ({
    name,
    place: "body",
    schema: schemaForModels(field, { depth: inputDepth, named }),
    isRequired: required.includes(name),
  }));
};

const plannedArguments: Field[] = [
  { name: "tool", place: "plan", schema: { type: "string" }, isRequired: true },
  { name: "arguments", place: "plan", schema: { type: "object" }, isRequired: true },
];

const packageArgument: Field = {
  name: packageField,
  place: "file",
  schema: {
    type: "string",
    contentEncoding: "base64",
    maxLength: limits.jsonBodyBytes,
    description: "The plugin package, a zip file, in base64",
  },
  isRequired: true,
};

const confirmField = (confirms: string): Field => ({
  name: "confirm",
  place: "confirm",
  schema: { type: "string", description: `Repeat \`${confirms}\`, once the person you work for has agreed` },
  isRequired: true,
});

/** The schema of what the call answers when all goes well. */
const answerIn = ({ responses }: PlainSchema): unknown => {
  const { 200: ok, 201: created } = asSchema(responses);
  return asSchema(asSchema(asSchema(ok ?? created).content)["application/json"]).schema ?? { type: "object" };
};

/** The value as an object, or `undefined`. */
const asSchema = (value: unknown): PlainSchema => Object(value) as PlainSchema;

/** A JSON Schema, as far as it is looked into here. */
type PlainSchema = { [word: string]: unknown };

type ModelSchemaOptions = {
  /** How deep a schema goes before only the type of a value is given. */
  depth: number;
  /** What the description names once for all, by the name behind this beginning. */
  named: PlainSchema;
};

const namedBegin = "#/components/schemas/";

/**
 * A schema of the API's description with nothing outside of it and without what is there for people. Below `depth` it
 * says only the kind of value, which is less, and true as well: models pay for each word.
 */
const schemaForModels = (schema: unknown, { depth, named }: ModelSchemaOptions): PlainSchema => {
  const { example, examples, title, properties, additionalProperties, items, anyOf, ...words } = found(
    schema,
    named,
  );
  if (depth === 0) return typeof words.type === "string" ? { type: words.type } : {};
  const below = (part: unknown) => schemaForModels(part, { depth: depth - 1, named });
  const bound = (part: unknown) => (typeof part === "boolean" ? part : below(part));
  // A field of which nothing is told is as good as one that is not told, where others are allowed.
  const isTold = (part: PlainSchema) => additionalProperties === false || Object.keys(part).length > 0;
  const each = (parts: unknown) =>
    Object.fromEntries(
      Object.entries(asSchema(parts))
        .map(([name, part]) => [name, below(part)] as const)
        .filter(([, part]) => isTold(part)),
    );
  return {
    ...words,
    ...(properties === undefined ? {} : { properties: each(properties) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: bound(additionalProperties) }),
    ...(items === undefined ? {} : { items: below(items) }),
    // Choices are no deeper than what they are choices for.
    ...(Array.isArray(anyOf)
      ? { anyOf: anyOf.map((choice) => schemaForModels(choice, { depth, named })) }
      : {}),
  };
};

/** The schema itself, where only its name was given. */
const found = (schema: unknown, named: PlainSchema): PlainSchema => {
  const { $ref, ...words } = asSchema(schema);
  if (typeof $ref !== "string") return words;
  return { ...found(named[$ref.slice(namedBegin.length)], named), ...words };
};

/**
 * A tool: a call of the API under a name and with words that a model understands. What it takes, what it answers and which
 * scope it needs is the call's own affair.
 */
type Tool = OperationTool & {
  /** Method and template of the call. */
  call: string;
  /** Whether it does nothing more when it is called again. */
  isRepeatable?: true;
  /** Whether it takes another tool's name and arguments, and tells what that would do. */
  plans?: true;
};

/** All tools, in the order in which they are listed. Whatever takes or tells a password or another secret is none. */
export const tools: readonly Tool[] = [
  ...operations.flatMap(({ operation: { endpoint, tool, isRepeatable } }) =>
    [tool ?? []]
      .flat()
      .map((each) => ({ ...each, call: endpoint, ...(isRepeatable ? { isRepeatable } : {}) })),
  ),
  {
    name: "plan_change",
    title: "Plan a change",
    description:
      "Tells what another tool would do, and does nothing: give its name and its arguments, without `confirm`. Show the answer " +
      "to the person you work for before you change something.",
    call: `POST ${planPath(":operation")}`,
    plans: true,
  },
  {
    name: "inspect_plugin_package",
    title: "Look into a package",
    description:
      "Tells what a plugin package is and asks for, without storing anything. Use it before install_plugin.",
    call: "POST /api/plugins/inspect",
  },
  {
    name: "install_plugin",
    title: "Install a plugin",
    description:
      "Installs a plugin package, or a newer version of an installed one. A new plugin is disabled until enable_plugin. " +
      "Packages that do not fit into a call are uploaded with the API or `atrium plugin install`.",
    call: "POST /api/plugins/upload",
  },
];
