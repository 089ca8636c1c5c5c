/** A JSON Schema, as far as it is looked into here. */
export type PlainSchema = { [word: string]: unknown };

export type PlainSchemaOptions = {
  /** How deep a schema goes before only the kind of value is told. */
  depth: number;
  /** What the description names once for all, by the name behind this beginning. */
  named: PlainSchema;
};

const namedBegin = "#/components/schemas/";

// What only this server understands, or what is for the people of the API's description.
const privateWords: ReadonlySet<string> = new Set(["error", "nullable", "example", "examples", "title"]);

/**
 * A route's schema as a JSON Schema 2020-12 that any validator takes, with nothing outside of it. Below `depth` it says only the kind of value, which
 * is less, and true as well: models pay for each word.
 */
export const plainSchema = (schema: unknown, { depth, named }: PlainSchemaOptions): PlainSchema => {
  const { properties, patternProperties, additionalProperties, items, anyOf, ...words } = found(
    schema,
    named,
  );
  if (depth === 0) return typeof words.type === "string" ? { type: words.type } : {};
  const below = (part: unknown) => plainSchema(part, { depth: depth - 1, named });
  const bound = (part: unknown) => (typeof part === "boolean" ? part : below(part));
  const each = (parts: unknown) =>
    Object.fromEntries(Object.entries(asSchema(parts)).map(([name, part]) => [name, below(part)]));
  const kept = Object.fromEntries(Object.entries(words).filter(([word, value]) => !isPrivate(word, value)));
  const whole = {
    ...kept,
    ...(properties === undefined ? {} : { properties: each(properties) }),
    ...(patternProperties === undefined ? {} : { patternProperties: each(patternProperties) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: bound(additionalProperties) }),
    ...(items === undefined ? {} : { items: below(items) }),
  };
  if (!Array.isArray(anyOf)) return whole;
  // A number that a query may write in digits: arguments and answers are JSON.
  const choices = anyOf.filter((choice) => !isDigits(found(choice, named)));
  const [first] = choices;
  if (choices.length === 1) return { ...plainSchema(first, { depth, named }), ...whole };
  return { ...whole, anyOf: choices.map((choice) => plainSchema(choice, { depth, named })) };
};

/** The schema itself, where only its name was given. */
const found = (schema: unknown, named: PlainSchema): PlainSchema => {
  const { $ref, ...words } = asSchema(schema);
  if (typeof $ref !== "string") return words;
  return { ...found(named[$ref.slice(namedBegin.length)], named), ...words };
};

const isPrivate = (word: string, value: unknown): boolean =>
  privateWords.has(word) || (word === "format" && String(value).startsWith("atrium-"));

const isDigits = ({ type, format }: PlainSchema): boolean =>
  type === "string" && (format === "integer" || format === "numeric");

/** What stands in a description is an object, or nothing. */
const asSchema = (value: unknown): PlainSchema => Object(value) as PlainSchema;
