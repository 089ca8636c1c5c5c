import { type JsonSchema, readSchema, type SchemaOptions } from "#contract/json-schema.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { isShown } from "./shown-text.ts";

/**
 * Reads a schema that a plugin registered; `null` where there is none. Throws an `Error` for its author, in which `what`
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
    throw new Error(`${what} cannot be used: a ${hidden} in it holds characters that show nothing`);
  }
  const [problem] = read.problems;
  throw new Error(`${what} cannot be used: ${problem?.path ? `${problem.path}: ` : ""}${problem?.message}`);
};

/** Which of a schema's texts, however deep within it, cannot be shown to people; `null` when all can. */
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
