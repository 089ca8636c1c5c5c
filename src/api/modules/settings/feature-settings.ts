import { requireAdmin } from "#api/core/actor.ts";
import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { changedSettings, valueAt, withChange } from "#contract/define-settings.ts";
import {
  type FeatureRows,
  type FeatureSettings,
  secretsOf,
  type ToldSettings,
  toldSettings,
  valuesOfFeature,
} from "#contract/feature-settings.ts";
import { type ChangedField, sectionOfFeature, settingsTexts } from "#contract/settings.ts";
import { readSettings } from "./read-settings.ts";
import { saveChange } from "./save-change.ts";
import type { SettingPlan } from "./setting-plan.ts";

/** The functions behind the operations with which admins read and change the settings of a feature. */
export const settingsRuns = <V extends object>(section: FeatureSettings<V>) => ({
  settings: async (ctx: Context): Promise<ToldSettings<V>> => {
    requireAdmin(ctx);
    const { features } = await readSettings(ctx.db, ctx.secrets);
    return toldSettings(section, valuesOfFeature(section, features));
  },
  setSettings: async (ctx: Context, change: object) => {
    const { stored } = await saveChange(
      ctx,
      { section: sectionOfFeature(section.name), action: `Changed the settings of ${section.name}` },
      (found) => planFeature(section, { stored: found.features, change }),
    );
    const { values } = planFeature(section, { stored: stored.features, change });
    return { message: settingsTexts.featureSaved, data: toldSettings(section, values) };
  },
});

/** What a change of a feature's settings does to what is stored. Throws a 422 with each invalid field. */
export const planFeature = <V extends object>(
  section: FeatureSettings<V>,
  { stored, change }: { stored: FeatureRows; change: object },
): SettingPlan & { values: V } => {
  const secrets = secretsOf(section);
  const isSecret = (name: string): boolean => secrets.includes(name);
  // An empty secret keeps the stored one.
  const given = Object.entries(change).filter(([name, value]) => !(isSecret(name) && value === ""));
  const before = valuesOfFeature(section, stored);
  const { values, errors } = withChange(section, before, Object.fromEntries(given));
  if (errors.length > 0) throw validationError(errors);
  const secretIn = (all: V, name: string): string | null => {
    const value = valueAt(all, name);
    return typeof value === "string" && value !== "" ? value : null;
  };
  const changed = secrets.filter((name) => secretIn(before, name) !== secretIn(values, name));
  const open = Object.fromEntries(Object.entries(values).filter(([name]) => !isSecret(name)));
  const fields: ChangedField[] = [
    ...changedSettings(section, before, values).filter(({ path }) => !isSecret(path)),
    ...changed.map(
      (path): ChangedField => ({
        path,
        isSecret: true,
        deed: deedOf(secretIn(before, path), secretIn(values, path)),
      }),
    ),
  ];
  const place = sectionOfFeature(section.name);
  return {
    fields,
    values,
    sections: fields.length === 0 ? {} : { [place]: open },
    secrets: Object.fromEntries(
      changed.map((name) => {
        const value = secretIn(values, name);
        return [`${place}.${name}`, value === null ? null : { value, endpoint: "" }];
      }),
    ),
  };
};

const deedOf = (before: string | null, after: string | null): "set" | "replaced" | "removed" => {
  if (after === null) return "removed";
  return before === null ? "set" : "replaced";
};
