import { valueAt } from "#contract/define-settings.ts";
import type { FieldError } from "#contract/errors.ts";
import { compileBrowserPattern, createSchemaCheck, type JsonSchema } from "#contract/json-schema.ts";
import { settingsTabTexts as texts } from "../texts.ts";

/** What is in the form by field: text as it was typed, whether a switch is on; `null` removes a secret. */
export type FormDraft = Record<string, string | boolean | null>;

/** The draft of values as the server told them. */
export const draftOf = (fields: readonly FormField[], values: Record<string, unknown>): FormDraft =>
  Object.fromEntries(
    leavesOf(fields).map((field) => [field.path, shown(field, valueAt(values, field.path))]),
  );

const shown = ({ kind, schema }: FormField, value: unknown): string | boolean => {
  if (kind === "switch") return value === true;
  if (value === undefined || value === null) return "";
  if (kind === "choice") return String(schema.enum?.indexOf(value) ?? "");
  if (kind === "list") return Array.isArray(value) ? value.join("\n") : "";
  return String(value);
};

/** What a field of a draft means; `undefined` goes back to what the schema gives. */
const meant = ({ kind, schema }: FormField, entry: FormDraft[string] | undefined): unknown => {
  if (typeof entry !== "string") return entry ?? undefined;
  if (kind === "choice") return entry === "" ? undefined : schema.enum?.[Number(entry)];
  if (kind === "number") return entry.trim() === "" ? undefined : numberIn(entry);
  if (kind === "list") return linesOf(entry).map((line) => itemIn(schema.items, line));
  // An empty text that does not fit stands for none.
  return entry === "" && !fits(schema, "") ? undefined : entry;
};

/** What an empty field goes back to; `undefined` where it stays empty, or holds something. */
export const defaultWhenEmpty = (field: FormField, draft: FormDraft): unknown => {
  const { path, kind, schema } = field;
  if (kind !== "text" && kind !== "multiline" && kind !== "number") return undefined;
  return draft[path] === "" && meant(field, "") === undefined ? schema.default : undefined;
};

/** The lines of a list that hold something. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

// Whatever is no number stays text, which the schema has something to say about.
const numberIn = (text: string): number | string => {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
};

const itemIn = (schema: JsonSchema | undefined, line: string): unknown => {
  const choice = schema?.enum?.find((value) => String(value) === line);
  if (choice !== undefined) return choice;
  if (schema?.type === "number" || schema?.type === "integer") return numberIn(line);
  if (schema?.type === "boolean" && (line === "true" || line === "false")) return line === "true";
  return line;
};

const fits = (schema: JsonSchema, value: unknown): boolean =>
  createSchemaCheck(schema, { compilePattern: compileBrowserPattern })(value).length === 0;

const fieldValue = (field: FormField, draft: FormDraft): unknown => {
  if (field.kind !== "group") return meant(field, draft[field.path]);
  const entries = field.fields.map((inner): [string, unknown] => [
    inner.path.slice(field.path.length + 1),
    meant(inner, draft[inner.path]),
  ]);
  const set = entries.filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
};

/** What is to be sent: of the fields that changed the new values, `null` for those that go back to the default. */
export const patchOf = (
  fields: readonly FormField[],
  saved: FormDraft,
  draft: FormDraft,
): Record<string, unknown> => {
  const isChanged = ({ path }: FormField) => draft[path] !== saved[path];
  return Object.fromEntries(
    fields
      .filter((field) => leavesOf([field]).some(isChanged))
      .map((field) => [field.path, fieldValue(field, draft) ?? null]),
  );
};

/** All values as they would be: what is left out is what the schema gives. Secrets only where new ones were typed. */
export const wholeOf = (fields: readonly FormField[], draft: FormDraft): Record<string, unknown> => {
  const entries = fields.map((field): [string, unknown] => {
    const value = fieldValue(field, draft);
    const isNone = value === undefined || (field.kind === "secret" && value === "");
    return [field.path, isNone ? field.schema.default : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

/** What is wrong, by field. */
export type FormErrors = Record<string, string>;

/** Puts errors beside their fields; of a list's value it is said in which line. `rest` is about none of them. */
export const placeErrors = (
  fields: readonly FormField[],
  errors: readonly FieldError[],
): { placed: FormErrors; rest: string[] } => {
  const placed: FormErrors = {};
  const rest: string[] = [];
  const leaves = leavesOf(fields);
  for (const { path, message } of errors) {
    const field =
      leaves.find((leaf) => leaf.path === path || path.startsWith(`${leaf.path}.`)) ??
      // What is wrong with a group as a whole is said at its first field.
      leaves.find((leaf) => leaf.path.startsWith(`${path}.`));
    if (field === undefined) {
      rest.push(message);
      continue;
    }
    const line = Number(path.slice(field.path.length + 1));
    const isLine = field.kind === "list" && path !== field.path && Number.isInteger(line);
    placed[field.path] ??= isLine ? texts.line(line + 1, message) : message;
  }
  return { placed, rest };
};

type Form = {
  schema: JsonSchema;
  fields: readonly FormField[];
  draft: FormDraft;
  /** Which secrets are stored. */
  secrets: Record<string, boolean>;
};

/** What the schema has against a draft: the very check that the server makes. A secret that stays is not looked at. */
export const complaintsOf = ({ schema, fields, draft, secrets }: Form): FormErrors => {
  const isKept = (name: string) => secrets[name] === true && draft[name] === "";
  const required = schema.required?.filter((name) => !isKept(name));
  const checked = { ...schema, ...(required === undefined ? {} : { required }) };
  const errors = createSchemaCheck(checked, { compilePattern: compileBrowserPattern })(
    wholeOf(fields, draft),
  );
  return placeErrors(fields, errors).placed;
};

/** How a field of the form looks and is filled in. */
type FieldKind = "text" | "multiline" | "secret" | "number" | "switch" | "choice" | "list" | "group";

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
const leavesOf = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => (field.kind === "group" ? leavesOf(field.fields) : [field]));
