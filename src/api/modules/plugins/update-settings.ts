import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { getInstalled, type Installed } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { titleIn } from "./dependencies.ts";
import { getSettings, type ShownSettings } from "./get-settings.ts";
import { type SavedSettings, saveSettings } from "./save-settings.ts";
import { inTurn } from "./serial.ts";

/** Fields of a plugin's settings and what they are to be: see `planSettings`. */
export type UpdateSettingsInput = { name: string; values: Record<string, unknown> };

/**
 * Changes a plugin's settings, at once here and soon on every replica; a plugin that runs is told of it. For admins and the
 * operator. Throws `PLUGIN_NOT_FOUND`, `NOT_FOUND` for a plugin without settings, and a 422 with each field at fault.
 */
export const updateSettings = async (
  ctx: Context,
  { name, values }: UpdateSettingsInput,
): Promise<{ message: string; data: ShownSettings }> => {
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const { saved, installed } = await changePlugins<{ saved: SavedSettings; installed: Installed }>(
      ctx,
      {
        type: "configuration_changed",
        action: "Changed settings of a plugin",
        severity: "medium",
        pluginName: name,
        described: (done) => (done.saved.hasChanged ? describeSaved(done.saved) : null),
      },
      async ({ tx, catalogue, now, raise }) => {
        const found = getInstalled(catalogue, name);
        return {
          saved: await saveSettings(ctx, { tx, now, installed: found, patch: values, raise }),
          installed: found,
        };
      },
    );
    if (saved.hasChanged) await ctx.plugins.converge([name]);
    const title = titleIn(installed);
    return {
      message: saved.hasChanged ? pluginTexts.settingsSaved(title) : pluginTexts.settingsSame,
      data: await getSettings(ctx, { name }),
    };
  });
};

/** How a change of settings stands in the log: plain fields with both values, of secrets what was done. */
export const describeSaved = ({ before, after, secrets }: SavedSettings) => ({
  description: [...new Set([...Object.keys(before), ...Object.keys(after)]), ...secrets].join(", "),
  before,
  after: {
    ...after,
    // Under a name that does not speak of secrets: the log leaves the values of such names out.
    ...(secrets.length === 0 ? {} : { sealed: secrets }),
  },
});
