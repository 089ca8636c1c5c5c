import type { Context, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Installed } from "./catalogue.ts";
import { schemaOf } from "./get-settings.ts";
import { sealPluginSecret, secretId } from "./sealed-secret.ts";
import { selectSecretFields, writeSecret } from "./secret-store.ts";
import { planSettings, type SettingsPlan } from "./settings-plan.ts";
import { dataKeyOf, updatePlugin } from "./store.ts";

/** What of the settings was changed: plain values before and after, and what was done with secrets. */
export type SavedSettings = {
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

/** Stores a change of a plugin's settings in a transaction that holds the plugins. Throws a 422 with each field at fault. */
export const saveSettings = async (
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
  const deeds = deedsOf(plan, setSecrets);
  const hasChanged = plan.changed.length > 0 || deeds.length > 0;
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
    secrets: deeds,
  };
};

const deedsOf = ({ secrets }: SettingsPlan, setSecrets: ReadonlySet<string>): string[] =>
  Object.entries(secrets).flatMap(([field, value]) => {
    if (value !== null) return [`${field} ${setSecrets.has(field) ? "replaced" : "set"}`];
    return setSecrets.has(field) ? [`${field} removed`] : [];
  });

const picked = (values: Record<string, unknown>, fields: string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(values, field) ? [[field, values[field]]] : [])),
  );
