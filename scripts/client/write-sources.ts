import {
  type ApiDocument,
  describeOperations,
  eventTypes,
  type NamedOperation,
  type Parameter,
  resolveIn,
  type Schema,
} from "./describe-operations.ts";

/** The client's generated sources by file name, of which the rest of it lies in `src/client`. */
export const writeSources = (document: ApiDocument): Record<string, string> => {
  const operations = describeOperations(document);
  return {
    "client-operations.ts": operationsSource(operations),
    "client-types.ts": typesSource(document, operations),
    "index.ts": indexSource,
  };
};

const operationsSource = (operations: NamedOperation[]): string => {
  const table = Object.fromEntries(
    groupsOf(operations).map(([group, own]) => [
      group,
      Object.fromEntries(
        own.map(({ name, method, path, takes, answers, field }) => [
          name,
          { method, path, takes, answers, ...(field === undefined ? {} : { field }) },
        ]),
      ),
    ]),
  );
  return `import type { Operations } from "./options.ts";

/** Every operation of the API that programs can call. */
export const operations: Operations = ${JSON.stringify(table, null, 2)};
`;
};

const indexSource = `import { buildClient } from "./build-client.ts";
import { operations } from "./client-operations.ts";
import type { AtriumClient } from "./client-types.ts";
import type { ClientOptions } from "./options.ts";

/** A client for one installation. Throws a \`TypeError\` for an invalid URL. */
export const createClient = (options: ClientOptions): AtriumClient => buildClient<AtriumClient>(operations, options);

export { AtriumError, type FieldComplaint, type LocalErrorCode } from "./atrium-error.ts";
export type { FreeCall, Query } from "./build-client.ts";
export type * from "./client-types.ts";
export type { CallOptions, ClientOptions, FileInput, IdempotentOptions } from "./options.ts";
`;

const typesSource = (document: ApiDocument, operations: NamedOperation[]): string => {
  const shared = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      `${docText([schema.description])}export type ${typeName(name)} = ${typeText(schema)};`,
  );
  const own = operations.flatMap((operation) => typesOf(document, operation));
  const groups = groupsOf(operations);
  return `import type { FreeCall } from "./build-client.ts";
import type { CallOptions, FileInput, IdempotentOptions } from "./options.ts";

${[...shared, ...own].join("\n\n")}

${groups.map(([group, all]) => `/** \`client.${group}\` */\nexport type ${typeName(group)}Calls = {\n${all.map(functionText).join("\n\n")}\n};`).join("\n\n")}

/** The operations of an installation. Each throws an \`AtriumError\` if the server rejects the request or does not respond. */
export type AtriumClient = {
${groups.map(([group]) => `readonly ${group}: ${typeName(group)}Calls;`).join("\n")}
/**
 * Sends a request that has no function here, such as one to a plugin: \`client.request("GET", "/api/firewall/config")\`.
 * Resolves to the \`data\` of the response, or to the whole response if it has none. Its type is not checked.
 */
request<Answer = unknown>(method: string, path: string, call?: FreeCall): Promise<Answer>;
};
`;
};

const groupsOf = (operations: NamedOperation[]): [string, NamedOperation[]][] => [
  ...Map.groupBy(operations, ({ group }) => group),
];

const prefixOf = ({ group, name }: NamedOperation): string => typeName(group) + typeName(name);

/** The named types of an operation: its query, its body, its answer or its events, as far as it has them. */
const typesOf = (document: ApiDocument, operation: NamedOperation): string[] => {
  const { group, name, query, body, answers, answer } = operation;
  const prefix = prefixOf(operation);
  const at = `\`client.${group}.${name}\``;
  const declared = (what: string, about: string, text: string) =>
    `/** ${about} ${at} */\nexport type ${prefix}${what} = ${text};`;
  return [
    ...(query.length === 0 ? [] : [declared("Query", "Query of", queryText(query))]),
    ...(body === null ? [] : [declared("Body", "Body of", typeText(inlined(document, body)))]),
    ...(answers === "data" ? [declared("Answer", "Response of", typeText(answer))] : []),
    ...(answers === "events" ? [declared("Event", "Events of", eventTypes[`${group}.${name}`] ?? "")] : []),
  ];
};

/** A body that is a reference is shown with its fields: that is what one writes. */
const inlined = (document: ApiDocument, schema: Schema): Schema => resolveIn(document, schema);

const queryText = (query: Parameter[]): string =>
  `{\n${query
    .map(({ name, schema = {}, description, ...parameter }) => {
      const isOptional = parameter.required !== true || schema.default !== undefined;
      const { default: preset } = schema;
      const paragraphs = [
        description ?? schema.description,
        preset === undefined ? undefined : `Default: \`${JSON.stringify(preset)}\``,
      ];
      return `${docText(paragraphs)}${keyText(name)}${isOptional ? "?" : ""}: ${parameterText(schema)}${isOptional ? " | undefined" : ""};`;
    })
    .join("\n")}\n}`;

/** Texts that are written `true` and `false` are given as such. */
const parameterText = (schema: Schema): string => {
  const text = typeText(schema);
  return text.includes('"true"') && text.includes('"false"') ? `boolean | ${text}` : text;
};

const functionText = (operation: NamedOperation): string => {
  const { name, method, path, described, pathParameters, query, body, takes, answers, takesKey } = operation;
  const prefix = prefixOf(operation);
  const isQueryNeeded = query.some(({ required, schema }) => required && schema?.default === undefined);
  const given = [
    ...pathParameters.map(({ name: part, schema = {} }) => `${part}: ${partText(schema)}`),
    ...(takes.includes("file") ? ["file: FileInput"] : []),
    ...(body === null ? [] : [`body${operation.isBodyNeeded ? "" : "?"}: ${prefix}Body`]),
    ...(query.length === 0 ? [] : [`query${isQueryNeeded ? "" : "?"}: ${prefix}Query`]),
    `options?: ${takesKey ? "IdempotentOptions" : "CallOptions"}`,
  ];
  const about = [
    [described.summary, described.description].filter((text) => text !== undefined).join("\n\n"),
    `\`${method} ${path}\``,
    pathParameters
      .filter(({ schema, description }) => description ?? schema?.description)
      .map(({ name: part, schema, description }) => `@param ${part} ${description ?? schema?.description}`)
      .join("\n"),
  ];
  return `${docText(about)}${name}(${given.join(", ")}): ${answerText(answers, prefix)};`;
};

const answerText = (answers: NamedOperation["answers"], prefix: string): string => {
  if (answers === "events") return `AsyncGenerator<${prefix}Event, void, undefined>`;
  return answers === "response" ? "Promise<Response>" : `Promise<${prefix}Answer>`;
};

/** A part of a path, which may be given as the number that it is written as. */
const partText = (schema: Schema): string => {
  const text = typeText(schema);
  return text === "unknown" ? "string" : text;
};

/** The TypeScript type of a schema, as text. References become the type of that name. */
const typeText = (schema: Schema): string => {
  const { $ref, type, properties, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return typeName($ref.split("/").at(-1) ?? "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (allOf) return allOf.map((part) => grouped(typeText(part))).join(" & ");
  const choices = anyOf ?? oneOf;
  if (choices) return union(choices.map(typeText));
  if (Array.isArray(type)) return union(type.map((each) => typeText({ ...schema, type: each })));
  if (type === "array") return `${grouped(typeText(schema.items ?? {}))}[]`;
  if (type === "object" || properties) return objectText(schema);
  return scalars[type ?? ""] ?? "unknown";
};

const scalars: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The name of a type for something that a document calls `name`. */
const typeName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const objectText = ({ properties = {}, required = [], additionalProperties, patternProperties }: Schema) => {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${docText([schema.description])}${keyText(name)}${required.includes(name) ? "" : "?"}: ${typeText(schema)};`,
  );
  const others = [
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...Object.values(patternProperties ?? {}),
  ].map(typeText);
  // Fields beside them have types of their own, which an index would have to allow.
  const rest = fields.length > 0 ? "unknown" : union(others.length > 0 ? others : ["unknown"]);
  const isOpen = additionalProperties === true || others.length > 0 || fields.length === 0;
  return `{\n${[...fields, ...(isOpen ? [`[key: string]: ${rest};`] : [])].join("\n")}\n}`;
};

const union = (texts: string[]): string => [...new Set(texts)].join(" | ");
const grouped = (text: string): string => (isJoined(text) ? `(${text})` : text);

/** Whether a type is several, beside what its fields may be. */
const isJoined = (text: string): boolean => {
  let depth = 0;
  for (const sign of text.replace(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\//gs, "")) {
    if ("{(".includes(sign)) depth += 1;
    if ("})".includes(sign)) depth -= 1;
    if (depth === 0 && "|&".includes(sign)) return true;
  }
  return false;
};

/** A field's name as it is written in a type. */
const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** A comment for editors, of the paragraphs that there are; nothing for none. */
const docText = (paragraphs: readonly (string | undefined)[]): string => {
  const told = paragraphs.filter((text) => text !== undefined && text !== "").join("\n\n");
  if (told === "") return "";
  const lines = told.replaceAll("*/", "*∕").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
};
