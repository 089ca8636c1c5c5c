import { type JsonSchema, readSchema, type SchemaOptions } from "#contract/json-schema.ts";
import type { Json } from "#plugins/sdk/types.ts";

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
  if ("schema" in read) return read.schema;
  const [problem] = read.problems;
  throw new Error(`${what} cannot be used: ${problem?.path ? `${problem.path}: ` : ""}${problem?.message}`);
};
