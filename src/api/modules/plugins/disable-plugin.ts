import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { getInstalled, type Installed } from "./catalogue.ts";
import { changePlugins, type HeldPlugins } from "./change-plugins.ts";
import { enabledDependents, titleIn } from "./dependencies.ts";
import { updatePlugin } from "./store.ts";

/** Who was switched off: the plugin itself last, those that need it before it; nobody when it was off already. */
type Disabled = { installed: Installed; off: Installed[] };

/** Disables a plugin and before it all that need it; resolves to what was done, for people. */
export const disablePlugin = async (ctx: Context, { name }: { name: string }): Promise<string> => {
  const { installed, off } = await changePlugins<Disabled>(
    ctx,
    {
      type: "plugin_disabled",
      action: "Disabled a plugin",
      severity: "medium",
      pluginName: name,
      described: (done) => (done.off.length === 0 ? null : { description: titleIn(done.installed) }),
    },
    async (held) => {
      const found = getInstalled(held.catalogue, name);
      if (!found.row.isEnabled) return { installed: found, off: [] };
      const others = enabledDependents(held.catalogue, name);
      await disableDependents(held, found, others);
      await switchOff(held, name);
      return { installed: found, off: [...others, found] };
    },
  );
  if (off.length === 0) return pluginTexts.disabledAlready(titleIn(installed));
  await ctx.plugins.converge(off.map(({ row }) => row.name));
  return pluginTexts.disabled(titleIn(installed), off.slice(0, -1).map(titleIn));
};

/** Switches off what needs a plugin, with a row in the log for each. */
export const disableDependents = async (
  held: HeldPlugins,
  needed: Installed,
  dependents: readonly Installed[],
): Promise<void> => {
  for (const dependent of dependents) {
    await switchOff(held, dependent.row.name);
    await held.record({
      type: "plugin_disabled",
      action: "Disabled a plugin that needs another",
      severity: "medium",
      description: `${titleIn(dependent)}, which needs ${titleIn(needed)}`,
      pluginName: dependent.row.name,
    });
  }
};

/** Switches one plugin off; `quarantineReason` when it is not by an admin's wish. */
export const switchOff = async (
  { tx, now, raise }: HeldPlugins,
  name: string,
  quarantineReason: string | null = null,
): Promise<void> =>
  updatePlugin(tx, name, { isEnabled: false, quarantineReason, generation: await raise(), updatedAt: now });
