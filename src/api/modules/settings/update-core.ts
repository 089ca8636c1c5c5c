import type { Context } from "#api/core/context.ts";
import type { CoreSettings } from "#contract/core-settings.ts";
import type { CoreSettingsChange } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { planCore } from "./plan-core.ts";
import { saveChange } from "./save-change.ts";

/**
 * Changes the core settings, at once here and within a second on every replica. For admins and the operator. Throws
 * `MANAGED_BY_FIREWALL` while the firewall decides about them, and a 422 with each field at fault.
 */
export const updateCore = async (
  ctx: Context,
  input: CoreSettingsChange,
): Promise<{ success: true; message: string; data: CoreSettings }> => {
  const { plan, stored } = await saveChange(
    ctx,
    { section: "core", action: "Changed core settings" },
    (found) => planCore(ctx, found, input),
  );
  return { success: true, message: settingsTexts.coreSaved, data: plan.sections.core ?? stored.core };
};
