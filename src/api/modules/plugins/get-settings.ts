import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { JsonSchema } from "#contract/json-schema.ts";
import type { SettingsSchema } from "#contract/plugin-manifest.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { getInstalled, type Installed, readCatalogue } from "./catalogue.ts";
import { selectSecretFields } from "./secret-store.ts";
import { dataKeyOf } from "./store.ts";

/** A plugin's settings as admins see them: secrets read `""`, and `secrets` says which are set. */
export type ShownSettings = {
  schema: SettingsSchema;
  values: Record<string, unknown>;
  secrets: Record<string, boolean>;
};

/**
 * A plugin's settings: what was set, or else what its schema gives. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, and `NOT_FOUND` for a plugin without settings.
 */
export const getSettings = async (ctx: Context, { name }: { name: string }): Promise<ShownSettings> => {
  requireAdmin(ctx);
  return showSettings(ctx.db, getInstalled(await readCatalogue(ctx.db), name));
};

/** The schema of a plugin's settings. Throws `NOT_FOUND` for a plugin without. */
export const schemaOf = ({ current }: Installed): SettingsSchema => {
  const schema = current.manifest.settings?.schema;
  if (schema === undefined) throw new AppError("NOT_FOUND", pluginTexts.noSettings);
  return schema;
};

/** The settings of an installed plugin as they are stored. */
export const showSettings = async (db: Database, installed: Installed): Promise<ShownSettings> => {
  const schema = schemaOf(installed);
  const set = await selectSecretFields(db, dataKeyOf(installed.row));
  const values: [string, unknown][] = [];
  const secrets: [string, boolean][] = [];
  for (const [field, part] of Object.entries(schema.properties)) {
    if (isSecret(part)) {
      values.push([field, ""]);
      secrets.push([field, set.has(field)]);
      continue;
    }
    const value = ownValue(installed.row.settings, field) ?? part.default;
    if (value !== undefined) values.push([field, value]);
  }
  return { schema, values: Object.fromEntries(values), secrets: Object.fromEntries(secrets) };
};

/** Whether a field's value is stored encrypted and never told. */
export const isSecret = (field: JsonSchema | undefined): boolean => field?.["x-secret"] === true;

/** A field's own value: never what an object has by birth. */
export const ownValue = (values: Record<string, unknown>, field: string): unknown =>
  Object.hasOwn(values, field) ? values[field] : undefined;
