import { nameOfActor, personBehind, requireFactor, requirePerson, requireScope } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { isFactorRequired } from "#api/core/password-policy.ts";
import { countRecoveryCodes } from "#api/modules/second-factors/index.ts";
import { type AccountSettings, declaredSettings } from "#contract/core-settings.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import { changedSettings, nested, valueAt } from "#contract/define-settings.ts";
import { type ChangedField, isSectionOfFeature } from "#contract/settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { roles } from "#contract/users.ts";
import {
  beginGrace,
  type ChangeRow,
  hasSecondFactor,
  insertChange,
  lockSettings,
  writeSecret,
  writeSection,
} from "./store.ts";
import {
  readSettings,
  type Sections,
  type Services,
  type StoredSettings,
  sealSecret,
} from "./stored-settings.ts";

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
      events: ({ change }) => (change === null ? [] : [{ type: "settings-changed", generation: change.id }]),
    },
    async (tx) => {
      await lockSettings(tx);
      const stored = await readSettings(tx, ctx.secrets);
      const planned = await plan(stored, tx);
      const scopes = planned.fields.map((field) => scopeOf(section, field));
      if (scopes.includes("none")) requirePerson(ctx);
      if (scopes.includes("settings:security")) {
        requireScope(ctx, "settings:security");
        requireFactor(ctx);
      }
      const { accounts } = planned.sections;
      if (accounts !== undefined)
        await requireFactorOfMore(ctx, tx, { before: stored.accounts, after: accounts });
      await write(ctx, tx, planned);
      if (planned.fields.length === 0) return { plan: planned, stored, change: null };
      const change = await insertChange(tx, {
        section,
        changedAt: ctx.clock.now(),
        userId: personBehind(ctx.actor)?.id ?? null,
        changedBy: nameOfActor(ctx.actor),
        fields: planned.fields,
        revertsId: revertsId ?? null,
      });
      return { plan: planned, stored, change };
    },
  );
  if (saved.change !== null) await actOnIt(ctx);
  return saved;
};

/** What a token needs to change a field; `none`: no token can. */
const scopeOf = (section: ChangeRow["section"], { path }: ChangedField) => {
  if (section === "providers") return "none";
  // Of a feature no one knows what a change lets in.
  if (isSectionOfFeature(section)) return "settings:security";
  return declaredSettings[section].settings.find(([own]) => own === path)?.[1].scope ?? "settings:security";
};

const write = async (ctx: Context, tx: Database, { sections, secrets }: SettingPlan): Promise<void> => {
  const now = ctx.clock.now();
  for (const [section, value] of Object.entries(sections))
    if (value !== undefined) await writeSection(tx, { section, value: rowOf(section, value), now });
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret === undefined) continue;
    const sealed = secret === null ? null : sealSecret(ctx.secrets, { name, ...secret });
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

const actOnIt = async (ctx: Context): Promise<void> => {
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
export type PlainCredentials = { [Name in keyof Services]?: Partial<Services[Name]> } & {
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
