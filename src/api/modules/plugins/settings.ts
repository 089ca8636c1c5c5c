import { requireAdmin, requireFactor } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { FieldError } from "#contract/errors.ts";
import { type CompilePattern, createSchemaCheck } from "#contract/json-schema.ts";
import type { SettingsSchema } from "#contract/plugin-manifest.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { changePlugins, inTurn, titleIn } from "./catalogue.ts";
import type { ShownSettings } from "./contract.ts";
import {
  dataKeyOf,
  getInstalled,
  type Installed,
  lockPlugins,
  nextGeneration,
  readCatalogue,
  sealPluginSecret,
  secretId,
  selectSecretFields,
  updatePlugin,
  writeSecret,
} from "./store.ts";

/**
 * A plugin's settings: what was set, or the schema's defaults. For admins and the operator. Throws `PLUGIN_NOT_FOUND`,
 * and `NOT_FOUND` for a plugin without settings.
 */
export const getSettings = async (ctx: Context, { name }: { name: string }): Promise<ShownSettings> => {
  requireAdmin(ctx);
  return showSettings(ctx.db, getInstalled(await readCatalogue(ctx.db), name));
};

/** The schema of a plugin's settings. Throws `NOT_FOUND` for a plugin without settings. */
const schemaOf = ({ current }: Installed): SettingsSchema => {
  const schema = current.manifest.settings?.schema;
  if (schema === undefined) throw new AppError("NOT_FOUND", pluginTexts.noSettings);
  return schema;
};

/** The settings of an installed plugin as they are stored. */
const showSettings = async (db: Database, installed: Installed): Promise<ShownSettings> => {
  const schema = schemaOf(installed);
  const set = await selectSecretFields(db, dataKeyOf(installed.row));
  const secrets = secretFields(schema);
  return {
    schema,
    values: {
      ...effectiveSettings(schema, installed.row.settings),
      ...Object.fromEntries(secrets.map((field) => [field, ""])),
    },
    secrets: Object.fromEntries(secrets.map((field) => [field, set.has(field)])),
  };
};

/**
 * A plugin's settings: what was set, or the defaults of the manifest's schema. Without secrets, and without what the
 * schema doesn't know (any more); none without a schema.
 */
export const effectiveSettings = (
  schema: SettingsSchema | undefined,
  stored: Readonly<Record<string, unknown>>,
): Record<string, Json> => {
  const known = Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    const value = field["x-secret"] === true ? undefined : (ownValue(stored, name) ?? field.default);
    return value === undefined ? [] : [[name, value]];
  });
  return asJson(Object.fromEntries(known));
};

/** Settings are stored as JSON, and a schema's defaults came from a manifest. */
const asJson = (values: Record<string, unknown>): Record<string, Json> => values as Record<string, Json>;

/** Names of the fields whose values are stored encrypted and never told; none without a schema. */
export const secretFields = (schema: SettingsSchema | undefined): string[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, field]) =>
    field["x-secret"] === true ? [name] : [],
  );

/** A field's own value, never an inherited one. */
const ownValue = (values: Readonly<Record<string, unknown>>, field: string): unknown =>
  Object.hasOwn(values, field) ? values[field] : undefined;

/** The fields to change and their new values: see `planSettings`. */
type UpdateSettingsInput = { name: string; values: Record<string, unknown> };

/**
 * Changes a plugin's settings, immediately here and soon on every replica; a running plugin is notified. For admins and
 * the operator. Throws `PLUGIN_NOT_FOUND`, `NOT_FOUND` for a plugin without settings, and a 422 with each invalid
 * field.
 */
export const updateSettings = async (
  ctx: Context,
  { name, values }: UpdateSettingsInput,
): Promise<{ message: string; data: ShownSettings }> => {
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const { saved, installed } = await changePlugins<{ saved: SavedSettings; installed: Installed }>(
      ctx,
      {
        type: "configuration_changed",
        action: "Changed settings of a plugin",
        severity: "medium",
        pluginName: name,
        described: (done) => (done.saved.hasChanged ? describeSaved(done.saved) : null),
      },
      async ({ tx, catalogue, now, raise }) => {
        const found = getInstalled(catalogue, name);
        if (secretFields(schemaOf(found)).length > 0) requireFactor(ctx.actor, now);
        return {
          saved: await saveSettings(ctx, { tx, now, installed: found, patch: values, raise }),
          installed: found,
        };
      },
    );
    if (saved.hasChanged) await ctx.plugins.converge([name]);
    const title = titleIn(installed);
    return {
      message: saved.hasChanged ? pluginTexts.settingsSaved(title) : pluginTexts.settingsSame,
      data: await getSettings(ctx, { name }),
    };
  });
};

/** A change of settings in the log: plain fields with both values; for secrets, what was done. */
const describeSaved = ({ before, after, secrets }: SavedSettings) => ({
  description: [...new Set([...Object.keys(before), ...Object.keys(after)]), ...secrets].join(", "),
  before,
  after: {
    ...after,
    // Under a name that doesn't suggest a secret: the log omits the values of such names.
    ...(secrets.length === 0 ? {} : { sealed: secrets }),
  },
});

/** What was changed: plain values before and after, and what was done with secrets. */
type SavedSettings = {
  hasChanged: boolean;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  secrets: string[];
};

type Saving = {
  tx: Database;
  now: Date;
  installed: Installed;
  patch: Record<string, unknown>;
  raise(): Promise<number>;
};

/**
 * Stores a change of a plugin's settings in a transaction that has locked the plugins. Throws a 422 with each invalid
 * field.
 */
const saveSettings = async (
  { plugins, secrets }: Pick<Context | Services, "plugins" | "secrets">,
  { tx, now, installed, patch, raise }: Saving,
): Promise<SavedSettings> => {
  const { name, settings } = installed.row;
  const dataKey = dataKeyOf(installed.row);
  const setSecrets = await selectSecretFields(tx, dataKey);
  const plan = planSettings({
    ...{ schema: schemaOf(installed), stored: settings, setSecrets, patch },
    compilePattern: (pattern) => plugins.compilePattern(pattern),
  });
  const actions = actionsOf(plan, setSecrets);
  const hasChanged = plan.changed.length > 0 || actions.length > 0;
  if (hasChanged) {
    await updatePlugin(tx, name, { settings: plan.values, generation: await raise(), updatedAt: now });
    for (const [field, value] of Object.entries(plan.secrets)) {
      const id = secretId(dataKey, field);
      const sealed = value === null ? null : sealPluginSecret({ secrets }, id, value);
      await writeSecret(tx, { id, plugin: dataKey, sealed, now });
    }
  }
  return {
    hasChanged,
    before: picked(settings, plan.changed),
    after: picked(plan.values, plan.changed),
    secrets: actions,
  };
};

const actionsOf = ({ secrets }: SettingsPlan, setSecrets: ReadonlySet<string>): string[] =>
  Object.entries(secrets).flatMap(([field, value]) => {
    if (value !== null) return [`${field} ${setSecrets.has(field) ? "replaced" : "set"}`];
    return setSecrets.has(field) ? [`${field} removed`] : [];
  });

const picked = (values: Record<string, unknown>, fields: string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(values, field) ? [[field, values[field]]] : [])),
  );

/**
 * Changes a plugin's settings at its own request. Throws `PLUGIN_NOT_FOUND`, also once another publisher's plugin has
 * its name, `NOT_FOUND` for a plugin without settings, and a 422 with each invalid field.
 */
export const saveOwnSettings = async (
  services: Services,
  { name, dataKey }: { name: string; dataKey: string },
  patch: Record<string, unknown>,
): Promise<void> => {
  const { db, clock, activity, events } = services;
  let generation: number | null = null;
  await db.transaction(async (tx) => {
    await lockPlugins(tx);
    const installed = getInstalled(await readCatalogue(tx), name);
    if (dataKeyOf(installed.row) !== dataKey) throw new AppError("PLUGIN_NOT_FOUND");
    const raise = async () => {
      generation ??= await nextGeneration(tx);
      return generation;
    };
    const saved = await saveSettings(services, { tx, now: clock.now(), installed, patch, raise });
    if (!saved.hasChanged) return;
    await activity.record(tx, {
      entry: {
        type: "configuration_changed",
        action: "Changed its own settings",
        pluginName: name,
        ...describeSaved(saved),
      },
      source: { actor: { kind: "plugin" }, requestId: null, ip: null, userAgent: null },
      at: clock.now(),
    });
  });
  activity.wake();
  if (generation !== null) events.publish({ type: "plugins-changed", generation });
};

/** What to store: all plain values, and the secrets that change; `null` removes one. */
type SettingsPlan = {
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
 * Plans a change of a plugin's settings. Fields that are left out stay, `null` restores the schema's default; an empty
 * text keeps a stored secret. Throws a 422 with each invalid field.
 */
const planSettings = ({ schema, stored, setSecrets, patch, compilePattern }: Planned): SettingsPlan => {
  const plain = new Map<string, unknown>();
  const secrets = new Map<string, string | null>();
  const errors: FieldError[] = [];
  const secretNames = secretFields(schema);
  for (const field of Object.keys(schema.properties)) {
    const value = ownValue(stored, field);
    if (value !== undefined && !secretNames.includes(field)) plain.set(field, value);
  }
  for (const [field, value] of Object.entries(patch)) {
    if (!secretNames.includes(field)) {
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

/** Checks all of it against the schema; of secrets, only the new ones. */
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
