import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { CoreSettings } from "#contract/core-settings.ts";
import { type CoreSettingsChange, isManagedByFirewall } from "#contract/settings.ts";
import { changedField, type SettingPlan } from "./setting-plan.ts";
import { coreComplaints, type StoredSettings } from "./stored-settings.ts";

/**
 * What a change of core settings does to what is stored. Throws `MANAGED_BY_FIREWALL` while the firewall decides about
 * them, and a 422 with each field at fault.
 */
export const planCore = (
  { firewall }: Pick<Context, "firewall">,
  { core }: StoredSettings,
  { rateLimiting, security }: CoreSettingsChange,
): SettingPlan => {
  if (isManagedByFirewall(firewall.status())) throw new AppError("MANAGED_BY_FIREWALL");
  const merged: CoreSettings = {
    rateLimiting: { ...core.rateLimiting, ...rateLimiting },
    security: { ...core.security, ...security },
  };
  const complaints = coreComplaints(merged);
  if (complaints.length > 0) throw validationError(complaints);
  const message = merged.rateLimiting.message.trim();
  const next: CoreSettings = { ...merged, rateLimiting: { ...merged.rateLimiting, message } };
  const fields = [
    ...changedFields("rateLimiting", core.rateLimiting, next.rateLimiting),
    ...changedFields("security", core.security, next.security),
  ];
  return { fields, sections: fields.length === 0 ? {} : { core: next }, secrets: {} };
};

type Values = Record<string, string | number | boolean>;

const changedFields = (section: string, before: Values, after: Values) =>
  Object.entries(before).flatMap(([name, value]) =>
    changedField(`${section}.${name}`, value, after[name] ?? value),
  );
