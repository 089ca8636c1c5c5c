import type { SchemaFormat } from "./schema-formats.ts";

/** The types that JSON Schema knows. */
export const jsonTypes = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The part of JSON Schema 2020-12 that is understood here. `schemaProblems` refuses whatever else there is. */
export type JsonSchema = {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: SchemaFormat;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  /** The value is stored encrypted and never shown. */
  readonly "x-secret"?: boolean;
  /** Where the field stands in a form; lower numbers first. */
  readonly "x-order"?: number;
  /** What an empty field shows. */
  readonly "x-placeholder"?: string;
  /** The field has several lines. */
  readonly "x-multiline"?: boolean;
};

/** Whether a text fits a pattern. `size`: what each character of a text costs; 1 when it is not given. */
export type PatternTest = { (text: string): boolean; readonly size?: number };

/**
 * Makes a test of a pattern; throws when it is none, a `PatternFault` when it is too much. Whoever checks strangers'
 * patterns brings one whose time is linear in text and size.
 */
export type CompilePattern = (pattern: string) => PatternTest;

/** What checking schemas needs from outside. */
export type SchemaOptions = { compilePattern: CompilePattern };
