import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { type AccountSettings, isVerificationMode } from "#contract/account-settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { readSettings } from "./read-settings.ts";
import { saveChange } from "./save-change.ts";
import { changedField, type SettingPlan } from "./setting-plan.ts";
import type { StoredSettings } from "./stored-settings.ts";

/** The settings about accounts as they are stored. For admins and the operator. */
export const getAccountSettings = async (ctx: Context): Promise<AccountSettings> => {
  requireAdmin(ctx);
  return (await readSettings(ctx.db, ctx.secrets)).accounts;
};

/**
 * Changes the settings about accounts, immediately here and within a second on every replica; the firewall never decides
 * about them. For admins and the operator. Throws a 422 with the field at fault.
 */
export const updateAccountSettings = async (
  ctx: Context,
  input: { verification?: unknown },
): Promise<{ success: true; message: string; data: AccountSettings }> => {
  const { plan, stored } = await saveChange(
    ctx,
    { section: "accounts", action: "Changed account settings" },
    (found) => planAccounts(found, input),
  );
  const data = plan.sections.accounts ?? stored.accounts;
  return { success: true, message: settingsTexts.accountsSaved, data };
};

/** What a change of the settings about accounts does to what is stored. Throws a 422. */
export const planAccounts = (
  { accounts }: StoredSettings,
  { verification = accounts.verification }: { verification?: unknown },
): SettingPlan => {
  if (!isVerificationMode(verification))
    throw validationError([{ path: "verification", message: settingsTexts.verificationInvalid }]);
  const fields = changedField("verification", accounts.verification, verification);
  return { fields, sections: fields.length === 0 ? {} : { accounts: { verification } }, secrets: {} };
};
