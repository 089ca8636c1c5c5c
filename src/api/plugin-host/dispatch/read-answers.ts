import { createSchemaCheck, type JsonSchema, type SchemaOptions } from "#contract/json-schema.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { RegisteredRoute } from "../runtime.ts";
import { schemaExample } from "./schema-example.ts";
import { schemaOf } from "./schema-of.ts";
import { isShown } from "./shown-text.ts";

/** What a plugin's author says of an answer; `example` is absent where there is none. */
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
 * Reads what a route is said to answer, with an example of all that has a schema, where one can be made. Throws an
 * `Error` that tells the plugin's author what is wrong; `where` names the route.
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
        throw new Error(`${what}: ${type.slice(0, 80)} is no media type of texts, in small letters`);
      return [type, textOf(text, `${what}: the example of ${type}`, { most: longestText, isTable: true })];
    }),
  );
};

/** Reads what is said of the names in a route's path. Throws as {@link readAnswers} does. */
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
  // Tables have tabs, and line breaks of another kind.
  if (!isShown(isTable ? value.replace(/[\r\t]/g, "") : value))
    throw new Error(`${what} holds characters that show nothing`);
  return value;
};
