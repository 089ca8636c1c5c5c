import type { FieldError } from "#contract/errors.ts";
import { compileBrowserPattern, createSchemaCheck, type JsonSchema } from "#contract/json-schema.ts";

type Json = Record<string, unknown>;

/**
 * Makes checks of values from the schemas of an OpenAPI document, in which references are to its components. `isClosed`:
 * objects have no other fields than those that are named, unless others are spoken of.
 */
export const describedSchemas = (document: object, { isClosed = false } = {}) => {
  const checks = new WeakMap<object, (value: unknown) => FieldError[]>();
  const check = (schema: object): ((value: unknown) => FieldError[]) => {
    const known = checks.get(schema);
    if (known) return known;
    const made = createSchemaCheck(asSchema(plain(document, schema, isClosed)), {
      compilePattern: compileBrowserPattern,
    });
    checks.set(schema, made);
    return made;
  };
  return { check, resolve: (thing: object) => resolveIn(document, thing) };
};

/** What a reference is to, or the thing itself. */
const resolveIn = (document: object, thing: object): object => {
  const target: unknown = Reflect.get(thing, "$ref");
  if (typeof target !== "string") return thing;
  const [, ...steps] = target.split("/");
  const found: unknown = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), document);
  if (typeof found !== "object" || found === null) throw new Error(`${target} leads nowhere`);
  return resolveIn(document, found);
};

/** A schema without references, in the words that the product's own checks of JSON know. */
const plain = (document: object, schema: object, isClosed: boolean): Json => {
  const { nullable, patternProperties, format, type, ...found } = asJson(resolveIn(document, schema));
  const inner = (part: unknown): unknown =>
    typeof part === "object" && part !== null ? plain(document, part, isClosed) : part;
  const each = (forms: unknown): unknown => (Array.isArray(forms) ? forms.map(inner) : forms);
  const others = Object.values(Object(patternProperties))[0];
  return {
    ...(isClosed && found.properties !== undefined ? { additionalProperties: false } : {}),
    ...found,
    ...(type === undefined ? {} : { type: nullable === true ? [...new Set([type, "null"].flat())] : type }),
    ...(typeof format === "string" && formats.has(format) ? { format } : {}),
    ...(others === undefined ? {} : { additionalProperties: inner(others) }),
    ...mapped(found, "properties", (all) =>
      Object.fromEntries(Object.entries(Object(all)).map(([name, part]) => [name, inner(part)])),
    ),
    ...mapped(found, "items", inner),
    ...(others === undefined ? mapped(found, "additionalProperties", inner) : {}),
    ...mapped(found, "anyOf", each),
    ...mapped(found, "oneOf", each),
    ...mapped(found, "allOf", each),
  };
};

const formats = new Set(["date-time", "date", "uuid"]);

const mapped = (schema: Json, key: string, make: (part: unknown) => unknown): Json =>
  schema[key] === undefined ? {} : { [key]: make(schema[key]) };

// What a document holds is JSON, and its schemas are of the kinds that its tests look for.
const asJson = (value: object): Json => value as Json;
const asSchema = (value: Json): JsonSchema => value as JsonSchema;
