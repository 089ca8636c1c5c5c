import {
  nameOfActor,
  personBehind,
  requireAdmin,
  requireFactor,
  requirePerson,
  requireScope,
} from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { isFactorRequired } from "#api/core/password-policy.ts";
import type { Sections, StoredSettings } from "#api/core/settings.ts";
import { isHomeGone } from "#api/core/settings.ts";
import { countRecoveryCodes } from "#api/modules/second-factors/index.ts";
import { type AccountSettings, declaredSettings } from "#contract/core-settings.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import {
  changedSettings,
  nested,
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
  isSectionOfFeature,
  sectionOfFeature,
  settingsTexts,
} from "#contract/settings.ts";
import { isProgramsHome } from "#contract/site.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { roles } from "#contract/users.ts";
import type { SiteAnswer } from "./contract.ts";
import { isOutdatedCard, requireStored } from "./site-images.ts";
import {
  beginGrace,
  type ChangeRow,
  hasSecondFactor,
  insertChange,
  lockSettings,
  type OpenServices,
  readSettings,
  sealSecret,
  writeSecret,
  writeSection,
} from "./store.ts";

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
  if (section.isLockedByFirewall && ctx.firewall.manager?.isManaging === true)
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

/** A change to be made: the section, its log entry, and the change that it reverts, if any. */
export type IntendedChange = { section: ChangeRow["section"]; action: string; revertsId?: number };

/** What was stored before, what changed, and the change's row; `null` if nothing changed. */
export type SavedChange = { plan: SettingPlan; stored: StoredSettings; change: ChangeRow | null };

/**
 * Makes a change of settings: everything that is written, its row in the history and its row in the log are one
 * transaction, and of two concurrent changes the second builds on the first. This process applies it before the promise
 * resolves, the others soon after. `plan` says what to change and throws what prevents it. Throws `FORBIDDEN` or
 * `SESSION_REQUIRED` for a token that may not change one of the settings, and `SECOND_FACTOR_FIRST`: see
 * {@link requireFactorOfMore}.
 */
export const saveChange = async (
  ctx: Context,
  { section, action, revertsId }: IntendedChange,
  plan: (stored: StoredSettings, tx: Database) => SettingPlan | Promise<SettingPlan>,
): Promise<SavedChange> => {
  const saved = await adminAction<SavedChange>(
    ctx,
    {
      type: "configuration_changed",
      severity: section === "core" || section === "site" ? "medium" : "high",
      action,
      described: ({ change, plan: { fields } }) => (change === null ? null : describe(fields)),
    },
    async (tx) => {
      await lockSettings(tx);
      const stored = await readSettings(tx, ctx.secrets);
      const planned = await plan(stored, tx);
      const now = ctx.clock.now();
      const scopes = planned.fields.map((field) => scopeOf(section, field));
      if (scopes.includes("none")) requirePerson(ctx);
      if (scopes.includes("settings:security")) {
        requireScope(ctx, "settings:security");
        requireFactor(ctx.actor, now);
      }
      const { accounts } = planned.sections;
      if (accounts !== undefined)
        await requireFactorOfMore(ctx, tx, { before: stored.accounts, after: accounts });
      await write(ctx, tx, planned, now);
      if (planned.fields.length === 0) return { plan: planned, stored, change: null };
      const change = await insertChange(tx, {
        section,
        changedAt: now,
        userId: personBehind(ctx.actor)?.id ?? null,
        changedBy: nameOfActor(ctx.actor),
        fields: planned.fields,
        revertsId: revertsId ?? null,
      });
      return { plan: planned, stored, change };
    },
  );
  if (saved.change !== null) await applySaved(ctx, section, { ...saved, change: saved.change });
  return saved;
};

/** What a token needs to change a field; `none`: no token can. */
const scopeOf = (section: ChangeRow["section"], { path }: ChangedField) => {
  if (section === "providers") return "none";
  // Of a feature no one knows what a change lets in.
  if (isSectionOfFeature(section)) return "settings:security";
  return declaredSettings[section].settings.find(([own]) => own === path)?.[1].scope ?? "settings:security";
};

const write = async (
  { secrets: box }: Context,
  tx: Database,
  { sections, secrets }: SettingPlan,
  now: Date,
): Promise<void> => {
  for (const [section, value] of Object.entries(sections))
    if (value !== undefined) await writeSection(tx, { section, value: rowOf(section, value), now });
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret === undefined) continue;
    const sealed = secret === null ? null : sealSecret(box, { name, ...secret });
    await writeSecret(tx, { name, sealed, now });
  }
};

/** The site's row holds what differs from the defaults only: they are the build's, and a later build's reach what no one has set. */
const rowOf = (section: string, value: object): object =>
  section === siteSettings.name
    ? nested(
        changedSettings<object>(siteSettings, siteSettings.defaults, value).map(({ path }) => [
          path,
          valueAt(value, path),
        ]),
      )
    : value;

/** Applies what was saved here and tells the others. A section with secrets is read again: they are opened for what they are stored with. */
const applySaved = async (
  ctx: Context,
  section: ChangeRow["section"],
  { stored, plan, change }: SavedChange & { change: ChangeRow },
): Promise<void> => {
  const isWhole = Object.hasOwn(words, section);
  if (isWhole) {
    const faults = stored.faults.filter(({ setting }) => setting !== section);
    ctx.settings.use({ ...stored, ...plan.sections, faults, generation: change.id });
  }
  ctx.events.publish({ type: "settings-changed", generation: change.id });
  if (isWhole) return;
  try {
    await ctx.settings.refresh();
  } catch (error) {
    // It is stored, which is what was requested; this process reads it as soon as it can.
    ctx.log.warn("a change of settings is stored but not in use yet", { error: describeError(error) });
  }
};

/** A change in the log: plain fields with both values; for secrets, what was done. */
const describe = (fields: ChangedField[]) => {
  const visible = fields.flatMap((field) => (field.isSecret ? [] : [field]));
  const actions = fields.flatMap((field) => (field.isSecret ? [`${field.path} ${field.deed}`] : []));
  return {
    description: [...visible.map(({ path }) => path), ...actions].join(", "),
    before: Object.fromEntries(visible.map(({ path, before }) => [path, before])),
    after: {
      ...Object.fromEntries(visible.map(({ path, after }) => [path, after])),
      // Under a name that doesn't suggest a secret: the log omits the values of such names.
      ...(actions.length === 0 ? {} : { sealed: actions }),
    },
  };
};

/** The effect of a change of settings: the fields that get another value, and what is to be written. */
export type SettingPlan = {
  fields: ChangedField[];
  /** The new sections; only those that differ. */
  sections: Partial<Sections> & { [feature: `features.${string}`]: object };
  /** Secrets with their endpoint, `null` for those that are removed. */
  secrets: { [name: string]: { value: string; endpoint: string } | null | undefined };
};

/** A checked change of credentials; absent fields stay. */
export type PlainCredentials = { [Name in keyof OpenServices]?: Partial<OpenServices[Name]> } & {
  /** `null` removes. */
  secrets: Partial<Record<SecretName, string | null>>;
};

/**
 * Where a change requires a second factor of more users than before, gives them the time to set one up from now on. Throws
 * `SECOND_FACTOR_FIRST` for an admin who has none, or no recovery codes: nobody locks themselves out. The operator passes.
 */
const requireFactorOfMore = async (
  ctx: Context,
  tx: Database,
  { before, after }: { before: AccountSettings; after: AccountSettings },
): Promise<void> => {
  const newly = roles.filter((role) => isFactorRequired(role, after) && !isFactorRequired(role, before));
  if (newly.length === 0) return;
  const person = personBehind(ctx.actor);
  if (person !== null) {
    const isReady = (await hasSecondFactor(tx, person.id)) && (await countRecoveryCodes(tx, person.id)) > 0;
    if (!isReady) throw new AppError("SECOND_FACTOR_FIRST");
  }
  await beginGrace(tx, newly, ctx.clock.now());
};
