import { requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { isHomeGone } from "#api/core/settings.ts";
import {
  changedSettings,
  type SettingsSection,
  valueAt,
  withChange,
  wordOf,
} from "#contract/define-settings.ts";
import type { FieldError } from "#contract/errors.ts";
import {
  type FeatureRows,
  type FeatureSettings,
  secretsOf,
  type ToldSettings,
  toldSettings,
  valuesOfFeature,
} from "#contract/feature-settings.ts";
import {
  type ChangedField,
  isManagedByFirewall,
  sectionOfFeature,
  settingsTexts,
} from "#contract/settings.ts";
import { isProgramsHome } from "#contract/site.ts";
import { siteSettings } from "#contract/site-settings.ts";
import type { SiteAnswer } from "./contract.ts";
import { type SettingPlan, saveChange } from "./save-change.ts";
import { isOutdatedCard, requireStored } from "./site-images.ts";
import { readSettings, type Sections, type StoredSettings } from "./stored-settings.ts";

/** The sections that are stored as they are declared. */
type WholeName = "core" | "accounts" | "site";

const words = {
  core: { action: "Changed core settings", saved: settingsTexts.coreSaved },
  accounts: { action: "Changed account settings", saved: settingsTexts.accountsSaved },
  site: { action: "Changed site settings", saved: settingsTexts.siteSaved },
} satisfies Record<WholeName, object>;

/** The stored settings of a section; while the firewall manages them, other values may apply. */
export const getSettings = async <Values extends object>(
  ctx: Context,
  section: SettingsSection<WholeName, Values>,
): Promise<Values> => {
  requireAdmin(ctx);
  return storedOf(section, withFixedSite(ctx, await readSettings(ctx.db, ctx.secrets)));
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
  return { message: saved, data: storedOf(section, withFixedSite(ctx, { ...stored, ...plan.sections })) };
};

/** The settings of the site, with what the operator has set and no one can change here. */
export const getSite = async (ctx: Context): Promise<SiteAnswer> => ({
  ...(await getSettings(ctx, siteSettings)),
  locked: lockedOf(ctx),
});

/** Changes the settings of the site as {@link updateSettings} does. */
export const updateSite = async (
  ctx: Context,
  change: unknown,
): Promise<{ message: string; data: SiteAnswer }> => {
  requireAdmin(ctx);
  await requireStored(ctx, Object(change));
  const { message, data } = await updateSettings(ctx, siteSettings, change);
  const isHint = valueAt(change, "name") !== undefined && isProgramsHome(data);
  return {
    message: isHint ? settingsTexts.siteSavedWithLanding : message,
    data: { ...data, locked: lockedOf(ctx) },
  };
};

const lockedOf = ({ settings }: Pick<Context, "settings">): SiteAnswer["locked"] =>
  Object.keys(settings.current.fixedSite).map((path) => ({ path, reason: settingsTexts.fixedByFile }));

/** The effect of a change of a section on what is stored. Throws as {@link updateSettings} does. */
export const planSettings = <Values extends object>(
  ctx: Pick<Context, "firewall" | "settings">,
  section: SettingsSection<WholeName, Values>,
  { stored, change }: { stored: StoredSettings; change: unknown },
): SettingPlan => {
  if (section.isLockedByFirewall && isManagedByFirewall(ctx.firewall.status()))
    throw new AppError("MANAGED_BY_FIREWALL");
  const before = storedOf(section, stored);
  const { values, errors } = withChange(
    section,
    before,
    section.name === "site" ? openChange(ctx, change) : change,
  );
  if (section.name === "site") errors.push(...fixedComplaints(ctx, change), ...homeComplaints(ctx, change));
  // Only the site has one.
  if ("card" in values && isOutdatedCard(Object(before), Object(values))) values.card = "";
  if (errors.length > 0) throw validationError(errors);
  const fields = changedSettings(section, before, values);
  // The section's own values, under its name.
  const sections = { [section.name]: values } as Partial<Sections>;
  return { fields, sections: fields.length === 0 ? {} : sections, secrets: {} };
};

/** The settings with what the operator has set of the site in its place. */
const withFixedSite = ({ settings }: Pick<Context, "settings">, stored: StoredSettings): StoredSettings => ({
  ...stored,
  site: { ...stored.site, ...settings.current.fixedSite },
});

/** A change without what the operator has set, which is not stored: it may be something else at the next start. */
const openChange = ({ settings }: Pick<Context, "settings">, change: unknown): object =>
  Object.fromEntries(
    Object.entries(Object(change)).filter(([name]) => !Object.hasOwn(settings.current.fixedSite, name)),
  );

/** Complaints about changes of what the operator has set, to anything else. */
const fixedComplaints = ({ settings }: Pick<Context, "settings">, change: unknown): FieldError[] =>
  Object.entries(settings.current.fixedSite).flatMap(([path, fixed]) => {
    const given = valueAt(change, path);
    const isOther = given !== undefined && wordOf(given) !== wordOf(fixed);
    return isOther ? [{ path, message: settingsTexts.fixedByFile }] : [];
  });

/** Complaints about a home page that is no public page of a feature. */
const homeComplaints = ({ settings }: Pick<Context, "settings">, change: unknown): FieldError[] => {
  const home = valueAt(change, "home");
  return isHomeGone(home, settings) ? [{ path: "home", message: settingsTexts.noHomePage(home.trim()) }] : [];
};

const storedOf = <Values extends object>(
  { name }: SettingsSection<WholeName, Values>,
  stored: Pick<StoredSettings, WholeName>,
): Values => {
  // What is stored under a section's name was read by that section.
  const values: unknown = stored[name];
  return values as Values;
};

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
