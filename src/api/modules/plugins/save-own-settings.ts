import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { getInstalled, readCatalogue } from "./catalogue.ts";
import { saveSettings } from "./save-settings.ts";
import { dataKeyOf, lockPlugins, nextGeneration } from "./store.ts";
import { describeSaved } from "./update-settings.ts";

/**
 * Changes a plugin's settings as the plugin itself asks for. Throws `PLUGIN_NOT_FOUND`, also once another publisher's
 * plugin has its name, `NOT_FOUND` for a plugin without settings, and a 422 with each field at fault.
 */
export const saveOwnSettings = async (
  services: Services,
  { name, dataKey }: { name: string; dataKey: string },
  patch: Record<string, unknown>,
): Promise<void> => {
  const { db, clock, activity, events } = services;
  let generation: number | null = null;
  await db.transaction(async (tx) => {
    await lockPlugins(tx);
    const installed = getInstalled(await readCatalogue(tx), name);
    if (dataKeyOf(installed.row) !== dataKey) throw new AppError("PLUGIN_NOT_FOUND");
    const raise = async () => {
      generation ??= await nextGeneration(tx);
      return generation;
    };
    const saved = await saveSettings(services, { tx, now: clock.now(), installed, patch, raise });
    if (!saved.hasChanged) return;
    await activity.record(tx, {
      entry: {
        type: "configuration_changed",
        action: "Changed its own settings",
        pluginName: name,
        ...describeSaved(saved),
      },
      source: { actor: { kind: "plugin" }, requestId: null, ip: null, userAgent: null },
      at: clock.now(),
    });
  });
  activity.wake();
  if (generation !== null) events.publish({ type: "plugins-changed", generation });
};
