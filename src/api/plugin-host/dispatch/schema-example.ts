import type { JsonSchema } from "#contract/json-schema.ts";
import type { Json } from "#plugins/sdk/types.ts";

/**
 * A value that a plugin's schema allows, made of its first examples, its defaults and its bounds; `undefined` where it is
 * none after all, which `fits` decides. Patterns are never run here: a stranger's may take for ever.
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
    // A list is shown with one of what it holds, if it holds anything.
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
const longestText = 200;

const textExample = ({ format, minLength = 0, maxLength = longestText }: JsonSchema): string => {
  const known = textsByFormat[format ?? ""];
  if (known !== undefined) return known;
  return "text".padEnd(Math.min(minLength, longestText), "t").slice(0, maxLength);
};

const textsByFormat: Record<string, string> = {
  "date-time": "2026-01-31T14:30:00.000Z",
  date: "2026-01-31",
  uuid: "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10",
  uri: "https://atrium.example",
  email: "ada@example.com",
};

/** What stands in a schema was read as JSON. */
const asJson = (value: unknown): Json => value as Json;
