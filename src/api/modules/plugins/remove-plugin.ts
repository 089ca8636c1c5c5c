import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { getInstalled, type Installed } from "./catalogue.ts";
import { changePlugins, type HeldPlugins } from "./change-plugins.ts";
import { deleteData, deleteTraces, deleteUses } from "./data-store.ts";
import { enabledDependents, neededError, titleIn } from "./dependencies.ts";
import { disableDependents, switchOff } from "./disable-plugin.ts";
import { deletePackages } from "./package-object.ts";
import { deleteFiles } from "./plugin-files.ts";
import { inTurn } from "./serial.ts";
import { dataKeyOf, deletePlugin, deleteVersions, emptied, updatePlugin } from "./store.ts";
import { isCore } from "./to-plugin.ts";

/** What is to be deleted; `force` first disables the plugins that need it. */
export type RemoveInput = { name: string; retainData: boolean; force: boolean };

/**
 * Deletes a plugin, disabled before; with `retainData` its settings, secrets, values, files and grants come back when its
 * publisher's plugin is installed again. What is kept of other publishers' plugins of that name stays. For admins and the
 * operator. Throws `PLUGIN_NOT_FOUND`, `PLUGIN_IS_CORE`, and `PLUGIN_NEEDED` while enabled plugins need it.
 */
export const removePlugin = async (ctx: Context, input: RemoveInput): Promise<{ message: string }> => {
  requireAdmin(ctx);
  const { name, retainData } = input;
  return inTurn(ctx, name, async () => {
    const { off, mine } = await stop(ctx, input);
    // Nothing that runs here may write once its data is gone.
    await ctx.plugins.converge([...off.map(({ row }) => row.name), name]);
    const unused = await erase(ctx, input);
    await deletePackages(ctx, unused);
    if (!retainData) await deleteFiles(ctx, dataKeyOf(mine.row));
    await ctx.plugins.converge([name]);
    const words = retainData ? pluginTexts.removedRetaining : pluginTexts.removed;
    return { message: words(titleIn(mine), off.map(titleIn)) };
  });
};

type Stopped = { mine: Installed; off: Installed[] };

/** Throws what stands against it; what runs of it, and on top of it, is switched off. */
const stop = (ctx: Context, { name, force }: RemoveInput): Promise<Stopped> =>
  changePlugins<Stopped>(
    ctx,
    {
      type: "plugin_removed",
      action: "Deleted a plugin",
      severity: "high",
      pluginName: name,
      described: ({ mine }) =>
        mine.row.isEnabled
          ? { type: "plugin_disabled", action: "Disabled a plugin to delete it", description: titleIn(mine) }
          : null,
    },
    async (held) => {
      const mine = getInstalled(held.catalogue, name);
      const title = titleIn(mine);
      if (isCore(ctx, name)) throw new AppError("PLUGIN_IS_CORE", pluginTexts.isCore(title));
      const off = enabledDependents(held.catalogue, name);
      requireNotNeeded(mine, force ? [] : off);
      await disableDependents(held, mine, off);
      if (mine.row.isEnabled) await switchOff(held, name);
      return { mine, off };
    },
  );

const erase = (ctx: Context, { name, retainData }: RemoveInput): Promise<(string | null)[]> =>
  changePlugins(
    ctx,
    {
      type: "plugin_removed",
      action: "Deleted a plugin",
      severity: "high",
      pluginName: name,
      described: () => ({ description: retainData ? "Its data is kept" : "With all of its data" }),
    },
    async (held) => {
      const { row, versions } = getInstalled(held.catalogue, name);
      if (row.isEnabled) throw new AppError("CONFLICT", pluginTexts.changedMeanwhile);
      await forget(ctx, held, { name, retainData, row });
      await deleteVersions(
        held.tx,
        name,
        versions.map(({ version }) => version),
      );
      return versions.map(({ objectKey }) => objectKey);
    },
  );

const forget = async (
  { plugins }: Context,
  { tx, now, raise }: HeldPlugins,
  { name, retainData, row }: Pick<RemoveInput, "name" | "retainData"> & Pick<Installed, "row">,
): Promise<void> => {
  const generation = await raise();
  await deleteTraces(tx, name);
  const isOurs = plugins.bundled.some((bundled) => bundled.name === name);
  if (!retainData) {
    await deleteData(tx, dataKeyOf(row));
    await deleteUses(tx, name);
  }
  if (!retainData && !isOurs) return deletePlugin(tx, name);
  await updatePlugin(tx, name, {
    ...{ isEnabled: false, generation, removedAt: now, updatedAt: now },
    ...{ pendingVersion: null, pendingError: null, quarantineReason: null },
    // A row of one that is part of Atrium stays: it says that somebody deleted it.
    ...(retainData ? { migratedVersion: row.migratedVersion ?? row.version } : emptied),
  });
};

const requireNotNeeded = (needed: Installed, others: readonly Installed[]): void => {
  if (others.length === 0) return;
  throw neededError(others, (titles) => pluginTexts.needed(titleIn(needed), titles));
};
