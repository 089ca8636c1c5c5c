/** A JSON Schema, as far as it is looked into here. */
export type PlainSchema = { [word: string]: unknown };

export type ModelSchemaOptions = {
  /** How deep a schema goes before only the kind of value is told. */
  depth: number;
  /** What the description names once for all, by the name behind this beginning. */
  named: PlainSchema;
};

const namedBegin = "#/components/schemas/";

/**
 * A schema of the API's description with nothing outside of it and without what is there for people. Below `depth` it
 * says only the kind of value, which is less, and true as well: models pay for each word.
 */
export const schemaForModels = (schema: unknown, { depth, named }: ModelSchemaOptions): PlainSchema => {
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

/** What stands in a description is an object, or nothing. */
const asSchema = (value: unknown): PlainSchema => Object(value) as PlainSchema;
