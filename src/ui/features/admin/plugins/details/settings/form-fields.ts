import type { JsonSchema } from "#contract/json-schema.ts";

/** How a field of the form looks and is filled in. */
export type FieldKind = "text" | "multiline" | "secret" | "number" | "switch" | "choice" | "list" | "group";

/** A field as the form draws it. */
export type FormField = {
  /** Its name; below a group the group's name, a dot and its own. */
  path: string;
  kind: FieldKind;
  label: string;
  schema: JsonSchema;
  /** Those of a group. */
  fields: FormField[];
};

/** The fields that a schema of settings describes, in the order in which they are drawn. */
export const fieldsOf = ({ properties = {} }: JsonSchema, group = ""): FormField[] =>
  Object.entries(properties)
    .toSorted(([, a], [, b]) => orderOf(a) - orderOf(b))
    .map(([name, schema]) => {
      const path = group + name;
      const kind = kindOf(schema);
      const fields = kind === "group" ? fieldsOf(schema, `${path}.`) : [];
      return { path, kind, label: schema.title ?? name, schema, fields };
    });

// Those without a place of their own come last, in the order in which they were written.
const orderOf = (schema: JsonSchema): number => schema["x-order"] ?? Number.MAX_SAFE_INTEGER;

const kindOf = (schema: JsonSchema): FieldKind => {
  if (schema.enum !== undefined) return "choice";
  if (schema.type === "object") return "group";
  if (schema.type === "array") return "list";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema["x-secret"] === true) return "secret";
  return schema["x-multiline"] === true ? "multiline" : "text";
};

/** The fields with those of groups in the place of the groups. */
export const leavesOf = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => (field.kind === "group" ? leavesOf(field.fields) : [field]));
