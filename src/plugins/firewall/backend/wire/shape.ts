import type { Json } from "#plugins/sdk/types.ts";

declare const fitting: unique symbol;

/** A JSON Schema that knows the type of what fits it, so that both are written once. */
export type Shape<T> = { [keyword: string]: Json } & { readonly [fitting]?: T };

/** The type of what fits a shape. */
export type Of<S> = S extends { readonly [fitting]?: infer T } ? T : never;

type Shapes = { [name: string]: Shape<unknown> };
type Each<P extends Shapes> = { [name in keyof P]: Of<P[name]> };
type Plain<T> = { [name in keyof T]: T[name] };

/** A schema of its own, of which only the caller knows what fits it. */
export const shape = <T>(schema: { [keyword: string]: Json }): Shape<T> => schema;

/** A text, with one that may stand there. */
export const text = (example: string): Shape<string> => ({ type: "string", examples: [example] });

/** Any text, and any number, of what is stored and shown to no one as it is. */
export const anyText: Shape<string> = { type: "string" };
export const anyNumber: Shape<number> = { type: "number" };

/** One of some words. */
export const word = <const W extends string>(...words: readonly W[]): Shape<W> => ({
  type: "string",
  enum: [...words],
});

/** A whole number from 0, with one that may stand there. */
export const whole = (example = 3): Shape<number> => ({ type: "integer", minimum: 0, examples: [example] });

export const flag: Shape<boolean> = { type: "boolean" };

/** ISO 8601 in UTC. */
export const moment: Shape<string> = { type: "string", format: "date-time" };

export const orNull = <T>(schema: Shape<T>): Shape<T | null> => ({ anyOf: [schema, { type: "null" }] });

export const list = <T>(items: Shape<T>): Shape<T[]> => ({ type: "array", items });

/** An object that has all of these fields, and perhaps the optional ones. */
export const object = <P extends Shapes, O extends Shapes = Record<never, never>>(
  properties: P,
  optional?: O,
): Shape<Plain<Each<P> & Partial<Each<O>>>> => ({
  type: "object",
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

/** A text that is sent, of so many characters at most. */
export const entered = (maxLength: number): Shape<string> => ({ type: "string", maxLength });

/** A whole number that is sent. */
export const between = (minimum: number, maximum: number): Shape<number> => ({
  type: "integer",
  minimum,
  maximum,
});

/** A list that is sent. */
export const upTo = <T>(maxItems: number, items: Shape<T>): Shape<T[]> => ({
  type: "array",
  items,
  maxItems,
});

/** An object that is sent: of these fields some are required, and there are no others. */
export const input = <P extends Shapes, const R extends keyof P & string = never>(
  properties: P,
  required: readonly R[] = [],
): Shape<Plain<Each<Pick<P, R>> & Partial<Each<Omit<P, R>>>>> => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

export const pagination = object({ total: whole(42), limit: whole(50), offset: whole(0) });

/** Which state of the rules an answer is about. */
export const revision: Shape<number> = {
  ...whole(12),
  description: "Increases with each change; a change with an older revision is refused",
};

const kinds: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/** Whether a value is what a shape says, by the keywords that shapes have; fields that it does not name may be there. */
export const fits = <T>(wanted: Shape<T>, value: unknown): value is T => isFitting(wanted, value);

/** Those of a list that fit: what else is in it, or is no list, was written by another version or damaged. */
export const fittingIn = <T>(items: Shape<T>, value: unknown): T[] =>
  Array.isArray(value) ? value.filter((one) => fits(items, one)) : [];

const isFitting = (schema: Json | undefined, value: unknown): boolean => {
  const { anyOf, type, enum: words, minimum, maximum, maxLength, format, items, ...rest } = Object(schema);
  if (anyOf !== undefined) return anyOf.some((one: Json) => isFitting(one, value));
  if (type !== undefined && ![type].flat().some((kind) => kinds[kind]?.(value))) return false;
  if (words?.includes(value) === false) return false;
  if (typeof value === "number") return !(value < minimum || value > maximum);
  if (typeof value === "string")
    return !(value.length > maxLength || (format === "date-time" && Number.isNaN(Date.parse(value))));
  if (Array.isArray(value)) return value.every((item) => isFitting(items, item));
  const { required = [], properties = {} }: { required?: string[]; properties?: Record<string, Json> } = rest;
  const fields: Record<string, unknown> = Object(value);
  return (
    required.every((name) => Object.hasOwn(fields, name)) &&
    Object.entries(properties).every(
      ([name, one]) => !Object.hasOwn(fields, name) || isFitting(one, fields[name]),
    )
  );
};
