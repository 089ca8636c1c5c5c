import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { Plugin } from "#contract/plugins.ts";
import { disablePlugin } from "./disable-plugin.ts";
import { enablePlugin } from "./enable-plugin.ts";
import { inTurn } from "./serial.ts";
import { showPlugin } from "./show-plugin.ts";

/** How a plugin is to stand; `consent` grants everything that it asks for. */
export type ToggleInput = { name: string; enabled: boolean; consent?: boolean | undefined };

/**
 * Enables or disables a plugin, and waits until this server has it so; one that stands so already is left alone. For
 * admins and the operator. Throws `PLUGIN_NOT_FOUND`, and of enabling `DEPENDENCY_DISABLED`, `PLUGIN_UNTRUSTED`,
 * `CONSENT_REQUIRED` with what to agree to, and `PLUGIN_START_FAILED`.
 */
export const togglePlugin = async (
  ctx: Context,
  { name, enabled, consent = false }: ToggleInput,
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const message = enabled
      ? await enablePlugin(ctx, { name, hasConsent: consent })
      : await disablePlugin(ctx, { name });
    return { message, data: await showPlugin(ctx, name) };
  });
};
