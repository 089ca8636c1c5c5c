import type { FieldError } from "#contract/errors.ts";
import { compileBrowserPattern, createSchemaCheck, type JsonSchema } from "#contract/json-schema.ts";
import { settingsTabTexts as texts } from "../texts.ts";
import { type FormDraft, wholeOf } from "./form-draft.ts";
import { type FormField, leavesOf } from "./form-fields.ts";

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
