import { mapValues } from "./described.ts";

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
