import type { TUnsafe } from "@sinclair/typebox";
import type { Kit } from "#api/modules/kit.ts";
import { emailComplaint } from "./account-rules.ts";

/**
 * A field that people fill in: `text` is one line, `long` several, `url` begins with `https://` or `http://`, and a `choice` is one of
 * `options`, which have their names. Without `isRequired` it may be empty, which is `null`; a `boolean` never is.
 */
export type FeatureField = { label: string; isRequired?: true } & (
  | { kind: "text" | "long" | "number" | "date" | "boolean" | "email" | "url" }
  | { kind: "choice"; options: { readonly [value: string]: string } }
);

/** The fields of what a feature keeps. Its schemas, form, lists and files follow from them; its table has a column for each. */
export type FeatureFields = { readonly [name: string]: FeatureField };

type Filled<F> = F extends { kind: "choice"; options: infer O }
  ? keyof O & string
  : F extends { kind: "number" }
    ? number
    : F extends { kind: "boolean" }
      ? boolean
      : string;

type ValueOf<F> = F extends { isRequired: true } | { kind: "boolean" } ? Filled<F> : Filled<F> | null;

/** The values of fields. */
export type FieldValues<F extends FeatureFields> = { -readonly [Name in keyof F]: ValueOf<F[Name]> };

/** The most characters that a field holds. */
export const fieldLengths = { text: 200, long: 10_000, url: 2_000, email: 254 } as const;

/** What is said of a value that a field can't have. */
export const fieldComplaints: { readonly [Kind in FeatureField["kind"]]: string } = {
  text: `Please enter a text of at most ${fieldLengths.text} characters in one line`,
  long: `Please enter a text of at most ${fieldLengths.long.toLocaleString("en")} characters`,
  number: "Please enter a number",
  date: "Please enter a date",
  boolean: "Please choose yes or no",
  choice: "Please choose one of the options",
  email: "Please enter an email address such as ada@b.example",
  url: "Please enter an address that begins with https:// or http://",
};

/** Whether a text is the address of a web page, so that a link to it runs nothing. */
export const isWebAddress = (text: string): boolean =>
  text.length <= fieldLengths.url && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);

/** The schemas of fields, for requests and responses. */
export const fieldSchemas = <const F extends FeatureFields>(kit: Kit, fields: F): SchemasOf<F> => {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = schemaOf(kit, field);
    const isFilled = field.isRequired === true || field.kind === "boolean";
    return [name, isFilled ? schema : kit.nullable(schema, { error: fieldComplaints[field.kind] })];
  });
  // Each is the schema of its field's values.
  return Object.fromEntries(schemas) as SchemasOf<F>;
};

type SchemasOf<F extends FeatureFields> = { -readonly [Name in keyof F]: TUnsafe<ValueOf<F[Name]>> };

const schemaOf = (kit: Kit, field: FeatureField) => {
  const { kind, label: description } = field;
  const error = fieldComplaints[kind];
  switch (kind) {
    case "text":
      return kit.line({ most: fieldLengths.text, description, error });
    case "long":
      return kit.text({ most: fieldLengths.long, pattern: "\\S", description, error });
    case "number":
      return kit.number({ description, error });
    case "date":
      return kit.text({ format: "date", description, error });
    case "boolean":
      return kit.flag({ description, error });
    case "choice":
      return kit.choice(Object.keys(field.options), { description, error });
    case "email":
      return kit.checkedText("atrium-email", (text) => (emailComplaint(text) === null ? null : error), {
        ...{ description, minLength: 5, maxLength: fieldLengths.email },
      });
    case "url":
      return kit.checkedText("atrium-web-address", (text) => (isWebAddress(text) ? null : error), {
        ...{ description, minLength: 10, maxLength: fieldLengths.url },
      });
  }
};

/** The columns of fields in the tables of commands: all but long texts. */
export const fieldColumns = (fields: FeatureFields): { title: string; field: string }[] =>
  Object.entries(fields).flatMap(([field, { kind, label: title }]) =>
    kind === "long" ? [] : [{ title, field }],
  );

/** The names of fields with texts, in which a search looks. */
export const textFieldsOf = (fields: FeatureFields): string[] =>
  Object.keys(fields).filter((name) => Object.hasOwn(fieldLengths, fields[name]?.kind ?? ""));

/** The names of fields, in their order. */
export const namesOf = <F extends FeatureFields>(fields: F) => Object.keys(fields) as (keyof F & string)[];
