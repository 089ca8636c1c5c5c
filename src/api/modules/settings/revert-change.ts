import { requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { declaredSettings } from "#contract/core-settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { SettingsChange } from "./contract.ts";
import { planSettings } from "./declared-settings.ts";
import { formerValues } from "./former-values.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { planCredentials } from "./plan-credentials.ts";
import { saveChange } from "./save-change.ts";
import type { SettingPlan } from "./setting-plan.ts";
import { findChange, selectNewestByField } from "./store.ts";
import { endpointOf, type StoredSettings, secretNames } from "./stored-settings.ts";
import { toSettingsChange } from "./to-settings-change.ts";

/**
 * Takes a change back, as far as it was not about secrets; that is a change itself. An endpoint that goes back to another
 * server leaves its secrets behind: they are removed, never sent there. For admins and the operator. Throws `NOT_FOUND`,
 * `CONFLICT` when something of it was changed again later or nothing is left to bring back, `MANAGED_BY_FIREWALL`, and a
 * 422 when the former values are not accepted any more.
 */
export const revertChange = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ message: string; data: SettingsChange }> => {
  requireAdmin(ctx);
  const found = await findChange(ctx.db, idIn(id));
  const section = found?.section ?? "core";
  const { change, plan, stored } = await saveChange(
    ctx,
    { section, action: "Took a change of settings back", revertsId: found?.id ?? 0 },
    async (stored, tx) => {
      if (found === null) throw new AppError("NOT_FOUND", settingsTexts.unknownChange);
      const former = formerValues(found);
      if (Object.keys(former).length === 0) throw new AppError("CONFLICT", settingsTexts.nothingToRevert);
      if (!toSettingsChange(found, { newest: await selectNewestByField(tx), stored }).canRevert)
        throw new AppError("CONFLICT", settingsTexts.changedSince);
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

const storedAfter = (stored: StoredSettings, { sections, secrets }: SettingPlan): StoredSettings => {
  const kept = Object.entries(stored.secrets).filter(([name]) => !Object.hasOwn(secrets, name));
  const moved = Object.entries(secrets).filter(([, secret]) => secret !== null);
  return { ...stored, ...sections, secrets: Object.fromEntries([...kept, ...moved]) };
};

/** What became of it: secrets that went are to be entered again where their service still has an endpoint. */
const outcomeOf = ({ fields }: SettingsChange, after: StoredSettings): string => {
  const lost = secretNames.filter((name) => fields.some(({ isSecret, path }) => isSecret && path === name));
  if (lost.length === 0) return settingsTexts.reverted;
  return lost.some((name) => endpointOf(name, after) !== "")
    ? settingsTexts.revertedWithoutSecrets
    : settingsTexts.revertedAndEmptied;
};

/** The number in the path; whatever is none is the number of no change. */
const idIn = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
