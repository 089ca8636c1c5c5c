import { validationError } from "#api/core/app-error.ts";
import type { FieldError } from "#contract/errors.ts";
import { type CompilePattern, createSchemaCheck } from "#contract/json-schema.ts";
import type { SettingsSchema } from "#contract/plugin-manifest.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { isSecret, ownValue } from "./get-settings.ts";

/** What is to be stored: all plain values, and of the secrets those that change; `null` removes one. */
export type SettingsPlan = {
  values: Record<string, unknown>;
  secrets: Record<string, string | null>;
  /** Names of the plain fields that change. */
  changed: string[];
};

type Planned = {
  schema: SettingsSchema;
  stored: Record<string, unknown>;
  /** Names of the secret fields that are set. */
  setSecrets: ReadonlySet<string>;
  patch: Record<string, unknown>;
  compilePattern: CompilePattern;
};

/**
 * Plans a change of a plugin's settings. What is left out stays, `null` goes back to what the schema gives; of a secret an
 * empty text keeps what is stored. Throws a 422 with each field at fault.
 */
export const planSettings = ({
  schema,
  stored,
  setSecrets,
  patch,
  compilePattern,
}: Planned): SettingsPlan => {
  const plain = new Map<string, unknown>();
  const secrets = new Map<string, string | null>();
  const errors: FieldError[] = [];
  for (const field of Object.keys(schema.properties)) {
    const value = ownValue(stored, field);
    if (value !== undefined && !isSecret(schema.properties[field])) plain.set(field, value);
  }
  for (const [field, value] of Object.entries(patch)) {
    if (!Object.hasOwn(schema.properties, field) || !isSecret(schema.properties[field])) {
      if (value === null) plain.delete(field);
      else plain.set(field, value);
    } else if (value === null || typeof value === "string") {
      if (value !== "") secrets.set(field, value);
    } else errors.push({ path: field, message: pluginTexts.secretExpected });
  }
  const values = Object.fromEntries(plain);
  errors.push(...complaintsAbout({ schema, values, secrets, setSecrets, compilePattern }));
  if (errors.length > 0) throw validationError(errors);
  const changed = [...new Set([...Object.keys(stored), ...plain.keys()])].filter(
    (field) => JSON.stringify(ownValue(stored, field)) !== JSON.stringify(ownValue(values, field)),
  );
  return { values, secrets: Object.fromEntries(secrets), changed };
};

type Checked = Pick<Planned, "schema" | "setSecrets" | "compilePattern"> & {
  values: Record<string, unknown>;
  secrets: ReadonlyMap<string, string | null>;
};

/** What the schema says against all of it together; of secrets only the new ones are looked at. */
const complaintsAbout = ({ schema, values, secrets, setSecrets, compilePattern }: Checked): FieldError[] => {
  const whole: Record<string, unknown> = Object.create(null);
  for (const [field, part] of Object.entries(schema.properties))
    if (part.default !== undefined) whole[field] = part.default;
  for (const [field, value] of Object.entries(values)) whole[field] = value;
  for (const [field, value] of secrets) if (value !== null) whole[field] = value;
  const isKept = (field: string): boolean => setSecrets.has(field) && secrets.get(field) === undefined;
  const required = schema.required?.filter((field) => !isKept(field));
  const checked = { ...schema, ...(required === undefined ? {} : { required }) };
  return createSchemaCheck(checked, { compilePattern })({ ...whole });
};
