import { requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { StoredSettings } from "#api/core/settings.ts";
import { declaredSettings } from "#contract/core-settings.ts";
import { nested } from "#contract/define-settings.ts";
import {
  type ChangedField,
  isSectionOfFeature,
  type SettingValue,
  sectionOfFeature,
  settingsTexts,
} from "#contract/settings.ts";
import { planFeature, planSettings, type SettingPlan, saveChange } from "./change-settings.ts";
import type { CredentialsChange, ListChangesInput, SettingsChange, SettingsHistory } from "./contract.ts";
import { plainCredentials, planCredentials } from "./credentials.ts";
import { requireStored } from "./site-images.ts";
import {
  type ChangeRow,
  endpointOf,
  fieldKey,
  findChange,
  readSettings,
  secretNames,
  selectChanges,
  selectNewestByField,
} from "./store.ts";

/** Who changed which settings, newest first, and the total number of changes. For admins and the operator. */
export const listChanges = async (
  ctx: Context,
  { limit, before, section }: ListChangesInput,
): Promise<SettingsHistory> => {
  requireAdmin(ctx);
  const newest = await selectNewestByField(ctx.db);
  const stored = await readSettings(ctx.db, ctx.secrets);
  const { changes, total } = await selectChanges(ctx.db, { limit, before, section });
  return {
    changes: changes.map((row) => toSettingsChange(row, { newest, stored })),
    pagination: { total, limit },
  };
};

/**
 * Reverts a change, apart from secrets; the revert is a change itself. If an endpoint goes back to another server, its
 * secrets are removed and never sent there. For admins and the operator. Throws `NOT_FOUND`, `CONFLICT` if something of
 * it was changed again later or nothing is left to restore, `MANAGED_BY_FIREWALL`, and a 422 if the former values are
 * no longer valid.
 */
export const revertChange = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ message: string; data: SettingsChange }> => {
  requireAdmin(ctx);
  const found = await findChange(ctx.db, idIn(id));
  const section = found?.section ?? "core";
  // Before the transaction: the embedded database has one session, in which files may be.
  if (found !== null && section === "site") await requireStored(ctx, formerValues(found));
  const { change, plan, stored } = await saveChange(
    ctx,
    { section, action: "Reverted a change of settings", revertsId: found?.id ?? 0 },
    async (stored, tx) => {
      if (found === null) throw new AppError("NOT_FOUND", settingsTexts.unknownChange);
      if (section === "providers") throw new AppError("CONFLICT", settingsTexts.providersStay);
      const former = formerValues(found);
      if (Object.keys(former).length === 0) throw new AppError("CONFLICT", settingsTexts.nothingToRevert);
      if (!toSettingsChange(found, { newest: await selectNewestByField(tx), stored }).canRevert)
        throw new AppError("CONFLICT", settingsTexts.changedSince);
      if (isSectionOfFeature(section))
        return planFeature(featureOf(ctx, section), { stored: stored.features, change: former });
      if (section !== "credentials")
        return planSettings<object>(ctx, declaredSettings[section], { stored, change: former });
      const { plain, complaints } = await plainCredentials(ctx, former);
      if (complaints.length > 0) throw validationError(complaints);
      return planCredentials(stored, plain, "removed");
    },
  );
  if (change === null) throw new AppError("CONFLICT", settingsTexts.changedSince);
  const after = storedAfter(stored, plan);
  const data = toSettingsChange(change, { newest: new Map(), stored: after });
  return { message: outcomeOf(data, after), data };
};

const featureOf = ({ featureSettings }: Context, section: string) => {
  const found = featureSettings.find(({ name }) => sectionOfFeature(name) === section);
  if (found === undefined) throw new AppError("CONFLICT", settingsTexts.featureGone);
  return found;
};

const storedAfter = (stored: StoredSettings, { sections, secrets }: SettingPlan): StoredSettings => {
  const kept = Object.entries(stored.secrets).filter(([name]) => !Object.hasOwn(secrets, name));
  const moved = Object.entries(secrets).filter(([, secret]) => secret !== null);
  return { ...stored, ...sections, secrets: Object.fromEntries([...kept, ...moved]) };
};

/** The message: removed secrets have to be entered again if their service still has an endpoint. */
const outcomeOf = ({ fields }: SettingsChange, after: StoredSettings): string => {
  const lost = secretNames.filter((name) => fields.some(({ isSecret, path }) => isSecret && path === name));
  if (lost.length === 0) return settingsTexts.reverted;
  return lost.some((name) => endpointOf(name, after) !== "")
    ? settingsTexts.revertedWithoutSecrets
    : settingsTexts.revertedAndEmptied;
};

/** The number in the path; anything else matches no change. */
const idIn = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

/** The context of a change: the number of the newest change of each field, and what is stored now. */
type Present = { newest: Map<string, number>; stored: StoredSettings };

/**
 * A change as admins see it. It can be reverted if something of it is not secret and none of that was changed again;
 * secrets of an endpoint that this would change are removed with it. Changes of sign-in providers can't be: without its secret
 * a provider is of no use.
 */
const toSettingsChange = (row: ChangeRow, { newest, stored }: Present): SettingsChange => {
  const visible = row.fields.filter(({ isSecret }) => !isSecret);
  const canRevert =
    row.section !== "providers" &&
    visible.length > 0 &&
    visible.every((field) => (newest.get(fieldKey(row, field)) ?? row.id) === row.id);
  return {
    id: row.id,
    at: row.changedAt.toISOString(),
    section: row.section,
    by: row.changedBy,
    fields: row.fields.map(told),
    reverts: row.revertsId,
    canRevert,
    losesSecrets: canRevert && row.section === "credentials" ? secretsLostBy(row, stored) : [],
  };
};

/** The stored secrets that reverting the change would remove. */
const secretsLostBy = (row: ChangeRow, stored: StoredSettings): string[] => {
  const { fields } = planCredentials(stored, { ...formerValues(row), secrets: {} }, "removed");
  return fields.flatMap(({ path, isSecret }) => (isSecret ? [path] : []));
};

/** The database orders keys by length; this orders them by declaration. Programs know single values: a list is told as one. */
const told = (field: ChangedField): SettingsChange["fields"][number] => {
  if (field.isSecret) return { path: field.path, isSecret: true, deed: field.deed };
  const { path, isSecret, before, after } = field;
  return { path, isSecret, before: asOne(before), after: asOne(after) };
};

const asOne = (value: SettingValue) => (Array.isArray(value) ? value.join(", ") : value);

/** The former values of the plain fields of a change, by section, if any, and name, in the form of a change. */
const formerValues = ({ fields }: Pick<ChangeRow, "fields">): CredentialsChange =>
  nested(fields.flatMap((field) => (field.isSecret ? [] : [[field.path, field.before]])));
