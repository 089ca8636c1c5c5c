import { requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { changedSettings, type SettingsSection, withChange } from "#contract/define-settings.ts";
import { isManagedByFirewall } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { readSettings } from "./read-settings.ts";
import { saveChange } from "./save-change.ts";
import type { SettingPlan } from "./setting-plan.ts";
import type { Sections, StoredSettings } from "./stored-settings.ts";

/** The sections that are stored as they are declared. */
type WholeName = "core" | "accounts";

const words = {
  core: { action: "Changed core settings", saved: settingsTexts.coreSaved },
  accounts: { action: "Changed account settings", saved: settingsTexts.accountsSaved },
} satisfies Record<WholeName, object>;

/** The stored settings of a section; while the firewall manages them, other values may apply. */
export const getSettings = async <Values extends object>(
  ctx: Context,
  section: SettingsSection<WholeName, Values>,
): Promise<Values> => {
  requireAdmin(ctx);
  return storedOf(section, await readSettings(ctx.db, ctx.secrets));
};

/**
 * Changes the settings of a section, immediately here and within a second on every replica. For admins and the
 * operator. Throws `MANAGED_BY_FIREWALL` while the firewall manages them, and a 422 with each invalid field.
 */
export const updateSettings = async <Values extends object>(
  ctx: Context,
  section: SettingsSection<WholeName, Values>,
  change: unknown,
): Promise<{ message: string; data: Values }> => {
  const { name } = section;
  const { action, saved } = words[name];
  const { plan, stored } = await saveChange(ctx, { section: name, action }, (found) =>
    planSettings(ctx, section, { stored: found, change }),
  );
  return { message: saved, data: storedOf(section, { ...stored, ...plan.sections }) };
};

/** The effect of a change of a section on what is stored. Throws as {@link updateSettings} does. */
export const planSettings = <Values extends object>(
  { firewall }: Pick<Context, "firewall">,
  section: SettingsSection<WholeName, Values>,
  { stored, change }: { stored: StoredSettings; change: unknown },
): SettingPlan => {
  if (section.isLockedByFirewall && isManagedByFirewall(firewall.status()))
    throw new AppError("MANAGED_BY_FIREWALL");
  const before = storedOf(section, stored);
  const { values, errors } = withChange(section, before, change);
  if (errors.length > 0) throw validationError(errors);
  const fields = changedSettings(section, before, values);
  // The section's own values, under its name.
  const sections = { [section.name]: values } as Partial<Sections>;
  return { fields, sections: fields.length === 0 ? {} : sections, secrets: {} };
};

const storedOf = <Values extends object>(
  { name }: SettingsSection<WholeName, Values>,
  stored: Pick<StoredSettings, WholeName>,
): Values => {
  // What is stored under a section's name was read by that section.
  const values: unknown = stored[name];
  return values as Values;
};
