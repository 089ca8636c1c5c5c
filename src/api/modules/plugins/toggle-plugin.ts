import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { Plugin } from "#contract/plugins.ts";
import { type ConsentInput, consentIn } from "./consent.ts";
import { disablePlugin } from "./disable-plugin.ts";
import { enablePlugin } from "./enable-plugin.ts";
import { inTurn } from "./serial.ts";
import { showPlugin } from "./show-plugin.ts";

/**
 * How a plugin is to stand; `consent` grants everything that it asks for, and with `sha256` only if it is still that
 * package.
 */
export type ToggleInput = { name: string; enabled: boolean } & ConsentInput;

/**
 * Enables or disables a plugin, and waits until this server has it so; one that stands so already is left alone, and one
 * that is enabled and does not run started once more. For admins and the operator. Throws `PLUGIN_NOT_FOUND`, for a token
 * that consents `SESSION_REQUIRED`, and of enabling `DEPENDENCY_DISABLED`, `PLUGIN_UNTRUSTED`, `PUBLISHER_CHANGED`,
 * `CONSENT_REQUIRED` with what to agree to, and `PLUGIN_START_FAILED`.
 */
export const togglePlugin = async (
  ctx: Context,
  { name, enabled, ...given }: ToggleInput,
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  const consent = consentIn(ctx, given);
  return inTurn(ctx, name, async () => {
    const message = enabled ? await enablePlugin(ctx, { name, consent }) : await disablePlugin(ctx, { name });
    return { message, data: await showPlugin(ctx, name) };
  });
};
