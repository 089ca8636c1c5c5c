import { createSchemaCheck, type JsonSchema, readSchema, type SchemaOptions } from "#contract/json-schema.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { isShown, type RegisteredRoute } from "../runtime.ts";

/** A response as the plugin's author describes it; `example` is absent if there is none. */
export type ReadAnswer = {
  description: string;
  schema: JsonSchema | null;
  example?: Json;
  texts: Readonly<Record<string, string>>;
};

/** By status. */
export type ReadAnswers = { readonly [status: string]: ReadAnswer };

const mostAnswers = 30;
const mostTexts = 10;
const longestDescription = 500;
const longestText = 2_000;
const mediaType = /^[a-z]+\/[a-z0-9.+-]{1,80}$/;
const status = /^(?!304)[2-5]\d\d$/;

/**
 * Reads the described responses of a route, with an example for each schema if possible. Throws an `Error` that tells
 * the plugin's author what is wrong; `where` names the route.
 */
export const readAnswers = (
  { answers, response }: Pick<RegisteredRoute, "answers" | "response">,
  where: string,
  options: SchemaOptions,
): ReadAnswers => {
  const usual = schemaOf(response, `${where}: the schema of its response`, options);
  const entries = Object.entries(answers === null ? {} : fieldsOf(answers, `${where}: its answers`));
  if (entries.length > mostAnswers) throw new Error(`${where}: it has at most ${mostAnswers} answers`);
  const read = entries.map(([key, answer]): [string, ReadAnswer] => {
    if (!status.test(key))
      throw new Error(`${where}: answers have a status from 200 to 599, except 304: ${key.slice(0, 20)}`);
    return [
      key,
      readAnswer(answer, `${where}: its answer ${key}`, { ...options, usual: key === "200" ? usual : null }),
    ];
  });
  const unsaid = { description: "What the plugin answers", schema: usual, texts: {} };
  const first = usual === null ? {} : { 200: withExample(unsaid, options) };
  return { ...first, ...Object.fromEntries(read) };
};

type AnswerOptions = SchemaOptions & { usual: JsonSchema | null };

const readAnswer = (value: Json, what: string, { usual, ...options }: AnswerOptions): ReadAnswer => {
  const { description, schema: given, example, texts } = fieldsOf(value, what);
  const schema = schemaOf(given, `${what}: its schema`, options) ?? usual;
  const read = {
    description: textOf(description, `${what}: its description`, { most: longestDescription }),
    schema,
    texts: readTexts(texts ?? null, what),
  };
  if (example === undefined) return withExample(read, options);
  const [error] = schema === null ? [] : createSchemaCheck(schema, options)(example);
  if (error !== undefined)
    throw new Error(`${what}: its example does not fit: ${error.path}: ${error.message}`);
  return { ...read, example };
};

const withExample = (answer: ReadAnswer, options: SchemaOptions): ReadAnswer => {
  const { schema } = answer;
  if (schema === null) return answer;
  const check = createSchemaCheck(schema, options);
  const example = schemaExample(schema, (value) => check(value).length === 0);
  return example === undefined ? answer : { ...answer, example };
};

const readTexts = (value: Json, what: string): ReadAnswer["texts"] => {
  if (value === null) return {};
  const entries = Object.entries(fieldsOf(value, `${what}: its texts`));
  if (entries.length > mostTexts) throw new Error(`${what}: it has at most ${mostTexts} texts`);
  return Object.fromEntries(
    entries.map(([type, text]) => {
      if (!mediaType.test(type) || type === "application/json")
        throw new Error(`${what}: ${type.slice(0, 80)} is not a text media type in lowercase`);
      return [type, textOf(text, `${what}: the example of ${type}`, { most: longestText, isTable: true })];
    }),
  );
};

/** Reads the descriptions of a route's path parameters. Throws like {@link readAnswers}. */
export const readParams = (value: Json, where: string): Readonly<Record<string, string>> =>
  value === null
    ? {}
    : Object.fromEntries(
        Object.entries(fieldsOf(value, `${where}: its params`)).map(([name, text]) => [
          name,
          textOf(text, `${where}: its param ${name.slice(0, 40)}`, { most: longestDescription }),
        ]),
      );

const fieldsOf = (value: Json | undefined, what: string): { [name: string]: Json } => {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${what} must be an object`);
};

type TextBounds = { most: number; isTable?: boolean };

const textOf = (value: Json | undefined, what: string, { most, isTable = false }: TextBounds): string => {
  if (typeof value !== "string" || value === "" || value.length > most)
    throw new Error(`${what} must be a text of 1 to ${most} characters`);
  // Tables contain tabs and other line breaks.
  if (!isShown(isTable ? value.replace(/[\r\t]/g, "") : value))
    throw new Error(`${what} contains invisible characters`);
  return value;
};

/**
 * Reads a schema that a plugin registered; `null` if there is none. Throws an `Error` for its author, in which `what`
 * names the schema.
 */
export const schemaOf = (
  value: Json | undefined,
  what: string,
  options: SchemaOptions,
): JsonSchema | null => {
  if (value === null || value === undefined) return null;
  const read = readSchema(value, options);
  if ("schema" in read) {
    const hidden = hiddenText(read.schema);
    if (hidden === null) return read.schema;
    throw new Error(`${what} cannot be used: a ${hidden} in it contains invisible characters`);
  }
  const [problem] = read.problems;
  throw new Error(`${what} cannot be used: ${problem?.path ? `${problem.path}: ` : ""}${problem?.message}`);
};

/** Which of a schema's texts, at any depth, can't be displayed; `null` if all can. */
const hiddenText = (schema: JsonSchema): string | null => {
  for (const keyword of ["title", "description", "x-placeholder"] as const)
    if (!isShown(schema[keyword] ?? "")) return keyword;
  for (const part of partsOf(schema)) {
    const hidden = hiddenText(part);
    if (hidden !== null) return hidden;
  }
  return null;
};

const partsOf = ({ properties, items, not, additionalProperties, anyOf, oneOf, allOf }: JsonSchema) =>
  [...Object.values(properties ?? {}), items, not, additionalProperties, anyOf, oneOf, allOf]
    .flat()
    .filter((part): part is JsonSchema => typeof part === "object");

/**
 * A value that a plugin's schema allows, from its first examples, defaults and bounds; `undefined` if `fits` rejects
 * it. Patterns are never run here: a stranger's can take forever.
 */
export const schemaExample = (schema: JsonSchema, fits: (value: unknown) => boolean): Json | undefined => {
  const made = exampleOf(schema);
  return fits(made) ? made : undefined;
};

const exampleOf = (schema: JsonSchema): Json => {
  const { examples, default: initial, enum: choices, anyOf, oneOf } = schema;
  const [given] = examples ?? [];
  if (given !== undefined) return asJson(given);
  if ("const" in schema) return asJson(schema.const);
  if (initial !== undefined) return asJson(initial);
  if (choices !== undefined) return asJson(choices.find((choice) => choice !== "") ?? choices[0]);
  const [form] = anyOf ?? oneOf ?? [];
  if (form !== undefined) return exampleOf(form);
  return plainExample(schema);
};

const plainExample = (schema: JsonSchema): Json => {
  const type = schema.properties === undefined ? [schema.type].flat()[0] : "object";
  if (type === "array") {
    // A list is shown with one item, if it can have any.
    const length = Math.min(mostItems, Math.max(schema.minItems ?? 0, schema.items === undefined ? 0 : 1));
    return Array.from({ length }, () => exampleOf(schema.items ?? {}));
  }
  if (type === "string") return textExample(schema);
  if (type === "integer" || type === "number")
    return Math.min(schema.maximum ?? Number.POSITIVE_INFINITY, Math.max(schema.minimum ?? 0, 3));
  if (type === "boolean") return true;
  if (type === "null") return null;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]),
  );
};

const mostItems = 3;
const longestExample = 200;

const textExample = ({ format, minLength = 0, maxLength = longestExample }: JsonSchema): string => {
  const known = textsByFormat[format ?? ""];
  if (known !== undefined) return known;
  return "text".padEnd(Math.min(minLength, longestExample), "t").slice(0, maxLength);
};

const textsByFormat: Record<string, string> = {
  "date-time": "2026-01-31T14:30:00.000Z",
  date: "2026-01-31",
  uuid: "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10",
  uri: "https://atrium.example",
  email: "ada@example.com",
};

/** The schema was parsed from JSON. */
const asJson = (value: unknown): Json => value as Json;
