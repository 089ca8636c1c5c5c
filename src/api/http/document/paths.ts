import { limits } from "#contract/limits.ts";

/** What comes in one form with a call or an answer; without a schema, a file. Source: OpenAPI 3.1 §4.8.14. */
export type DescribedMedia = { schema?: Schema };

/** A response as the document describes it, or a reference to it. Source: OpenAPI 3.1 §4.8.17. */
export type DescribedResponse = {
  description?: string;
  content?: Record<string, DescribedMedia>;
  $ref?: string;
};

/** A call as the document describes it, as far as it is read or written here. Source: OpenAPI 3.1 §4.8.10. */
export type DescribedOperation = {
  operationId?: string;
  security?: object[];
  parameters?: DescribedParameter[];
  requestBody?: { content: Record<string, DescribedMedia> };
  responses: Record<string, DescribedResponse>;
};

/** Calls by path and method. */
export type DescribedPaths = Record<string, Record<string, DescribedOperation>>;

/** What the package writes is of this shape. */
export const asPaths = (paths: object): DescribedPaths => paths as DescribedPaths;

/** Every call with its method and path, in the order of the document. */
export const operationsOf = (
  paths: DescribedPaths,
): { path: string; method: string; operation: DescribedOperation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** What parameters mean that many calls have, or that their route says nothing of. */
const meanings: { readonly [name: string]: string } = {
  limit: "How many rows at most",
  offset: "How many matching rows to skip",
  days: "How many whole days",
  security: "`true`: only security events; `false`: all others; empty: both",
  format: "`csv` (RFC 4180), or one JSON object a line",
  role: "Only users with this role",
  status: "Only those with this status",
  state: "Only those in this state",
  subject: "Only messages with this subject",
  sort: "What to sort by",
  order: "Upwards or downwards",
  place: "Where the backup is stored",
  name: "Name of the plugin or of the file",
  sha: "Part of the path to the files of this version, so that caches can keep them permanently",
  file: "Name of the script",
  after: "Only what comes after the one with this number",
  retainData: "`true` keeps settings, secrets, values, files and grants",
  force: "`true` first disables what needs it",
  section: "Only changes of this section of the settings",
  keepPasskeys: "`true` keeps the user's passkeys",
  allowDowngrade: "`true` accepts an older version, or the same one again",
  provider: "Id of a provider, such as `google`",
};

/** The document with a meaning and a limit for each parameter that has none: no address may be longer than that. */
export const withParameterWords = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.parameters === undefined
        ? operation
        : { ...operation, parameters: operation.parameters.map(completed) },
    ),
  ),
});

const completed = (parameter: DescribedParameter): DescribedParameter => {
  const { name, schema = {}, description = schema.description ?? meanings[name] } = parameter;
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    schema: isOpenText(schema) ? { ...schema, maxLength: limits.urlBytes } : schema,
  };
};

const isOpenText = ({ type, maxLength, pattern, enum: words, format }: DescribedSchema): boolean =>
  type === "string" && [maxLength, pattern, words, format].every((bound) => bound === undefined);

/** A JSON Schema as it is in the API's document. Source: JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = { readonly [keyword: string]: unknown };

/**
 * Gives a copy with `change` done to the schemas right below: `step` says of each where it stands, as `.name` for a
 * property, `[]` for what is in a list, `{}` for values under any name and `|0` for the first of several forms.
 */
export const mapChildren = (schema: Schema, change: (child: Schema, step: string) => Schema): Schema =>
  mapValues(schema, (value, keyword) => {
    if (keyword === "properties" && isSchema(value))
      return mapValues(value, (child, name) => (isSchema(child) ? change(child, `.${name}`) : child));
    if (forms.includes(keyword) && Array.isArray(value))
      return value.map((child: unknown, at) => (isSchema(child) ? change(child, `|${at}`) : child));
    if (keyword === "items" && isSchema(value)) return change(value, "[]");
    return keyword === "additionalProperties" && isSchema(value) ? change(value, "{}") : value;
  });

/**
 * A copy in the words of OpenAPI 3.1 alone, to be shown to others: what routes are checked by holds sentences for forms,
 * names of rules that only this program knows, and what the schemas of OpenAPI 3.0 were written with.
 */
export const plainSchema = (schema: Schema): Schema =>
  mapChildren(withNull(withoutOwnWords(withAnyKeys(asNumber(schema)))), plainSchema);

const forms = ["anyOf", "oneOf", "allOf"];

/** Numbers that are taken as digits too, for the sake of queries, are numbers in whatever is JSON. */
const asNumber = (schema: Schema): Schema => {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [text, number]: unknown[] = anyOf;
  const isDigits = isSchema(text) && text.type === "string" && /^(integer|numeric)$/.test(`${text.format}`);
  return isDigits && isSchema(number) ? { ...number, ...rest } : schema;
};

/** A record is described by a pattern that fits any name. */
const withAnyKeys = (schema: Schema): Schema => {
  const { patternProperties, ...rest } = schema;
  const values = isSchema(patternProperties) ? patternProperties["^(.*)$"] : undefined;
  return values === undefined ? schema : { ...rest, additionalProperties: values };
};

const withoutOwnWords = ({ error: _sentence, nullable: _older, documented, ...rest }: Schema): Schema => {
  const { format, default: initial, ...plain } = rest;
  // Choices name their first as the default, for the sake of error messages; nothing sets it.
  const isMade = Array.isArray(rest.enum) && initial === rest.enum[0];
  return {
    ...plain,
    // What a rule of ours comes to, where it is checked by that rule and by nothing else.
    ...(isSchema(documented) ? documented : {}),
    ...(format === undefined || `${format}`.startsWith("atrium-") ? {} : { format }),
    ...(initial === undefined || isMade ? {} : { default: initial }),
  };
};

/** `null` is one of the choices where it is allowed, and a form beside what an object may be. */
const withNull = (schema: Schema): Schema => {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || !type.includes("null")) return schema;
  const { enum: choices, properties } = schema;
  if (Array.isArray(choices)) return { ...schema, enum: [...new Set([...choices, null])] };
  if (properties === undefined) return schema;
  const { description, ...object } = rest;
  const what = description === undefined ? {} : { description };
  return { ...what, anyOf: [{ type: "object", ...object }, { type: "null" }] };
};

/** Whether something is an object, as every schema is but `true` and `false`. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A JSON Schema of the document, as far as examples are made from it. */
export type DescribedSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  required?: string[];
  properties?: { [name: string]: DescribedSchema };
  patternProperties?: { [pattern: string]: DescribedSchema };
  additionalProperties?: boolean | DescribedSchema;
  items?: DescribedSchema;
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: DescribedSchema[];
  minimum?: number;
  maximum?: number;
};

type Media = { schema?: DescribedSchema; example?: unknown };

/** What is sent or answered, in each of its forms. */
export type DescribedContent = {
  $ref?: string;
  description?: string;
  content?: { [type: string]: Media };
};

/** A part of a path, a query or a header. Source: OpenAPI 3.1 §4.8.12. */
export type DescribedParameter = {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: DescribedSchema;
};

/** The API's document, as far as examples and words are put into it. */
export type DescribedDocument = {
  paths: {
    [path: string]: {
      [method: string]: {
        parameters?: DescribedParameter[];
        requestBody?: DescribedContent;
        responses?: { [status: string]: DescribedContent };
      };
    };
  };
  components?: {
    schemas?: { [name: string]: DescribedSchema };
    responses?: { [name: string]: DescribedContent };
  };
};

/** The same record with other values. */
export const mapValues = <Value, Made>(
  record: { [name: string]: Value },
  make: (value: Value, name: string) => Made,
): { [name: string]: Made } =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
