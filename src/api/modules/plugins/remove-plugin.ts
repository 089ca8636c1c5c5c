import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { recordingFailure } from "./activation.ts";
import {
  changePlugins,
  enabledDependents,
  type HeldPlugins,
  inTurn,
  neededError,
  titleIn,
} from "./catalogue.ts";
import { installNew, refusalOf, verifyUpload } from "./install-package.ts";
import { deleteFiles, deletePackages } from "./packages.ts";
import { isCore, showPlugin } from "./read-plugins.ts";
import {
  dataKeyOf,
  deleteData,
  deletePlugin,
  deleteTraces,
  deleteUses,
  deleteVersions,
  emptied,
  getInstalled,
  type Installed,
  type PluginRow,
  readCatalogue,
  updatePlugin,
} from "./store.ts";
import { disableDependents, switchOff } from "./toggle-plugin.ts";
import { publisherName, publisherOfRow, readTrustedKeys, retainedRows } from "./trust.ts";

/** The plugin to delete; `force` first disables the plugins that need it. */
type RemoveInput = { name: string; retainData: boolean; force: boolean };

/**
 * Deletes a plugin after disabling it; with `retainData` its settings, secrets, values, files and grants are restored
 * when its publisher's plugin is installed again. What is kept for other publishers under that name stays. For admins
 * and the operator. Throws `PLUGIN_NOT_FOUND`, `PLUGIN_IS_CORE`, and `PLUGIN_NEEDED` while enabled plugins need it.
 */
export const removePlugin = async (ctx: Context, input: RemoveInput): Promise<{ message: string }> => {
  requireAdmin(ctx);
  const { name, retainData } = input;
  return inTurn(ctx, name, async () => {
    const { off, mine } = await stop(ctx, input);
    // Nothing may run here and write after its data is deleted.
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

/** Throws what prevents it; otherwise disables it and the plugins that need it. */
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
    // The row of a plugin that is part of Atrium stays and says that it was deleted.
    ...(retainData ? { migratedVersion: row.migratedVersion ?? row.version } : emptied),
  });
};

const requireNotNeeded = (needed: Installed, others: readonly Installed[]): void => {
  if (others.length === 0) return;
  throw neededError(others, (titles) => pluginTexts.needed(titleIn(needed), titles));
};

/**
 * Deletes what is kept of a publisher's plugin that was replaced or deleted; the installed plugin is not changed. For
 * admins and the operator. Throws `NOT_FOUND` if nothing of that publisher is kept.
 */
export const deleteRetained = async (
  ctx: Context,
  { name, publisher }: { name: string; publisher: string },
): Promise<{ message: string }> => {
  requireAdmin(ctx);
  const whose = publisherName(publisher, await readTrustedKeys(ctx, ctx.db));
  return inTurn(ctx, name, async () => {
    const row = await changePlugins<PluginRow>(
      ctx,
      {
        type: "plugin_removed",
        action: "Deleted the retained data of a plugin",
        severity: "high",
        pluginName: name,
        description: pluginTexts.retainedBy(name, whose),
      },
      async ({ tx, catalogue }) => {
        const rows = retainedRows(catalogue, name);
        const kept = rows.find((one) => publisherOfRow(one) === publisher);
        if (kept === undefined)
          throw new AppError("NOT_FOUND", pluginTexts.nothingRetained(rows.map(publisherOfRow)));
        await deleteData(tx, dataKeyOf(kept));
        // The row of a plugin that is part of Atrium stays and says that it was deleted.
        const isOurs = ctx.plugins.bundled.some((bundled) => bundled.name === kept.name);
        if (isOurs) await updatePlugin(tx, name, emptied);
        else await deletePlugin(tx, kept.name);
        return kept;
      },
    );
    await deleteFiles(ctx, dataKeyOf(row));
    return { message: pluginTexts.retainedDeleted(name, whose) };
  });
};

/**
 * Deletes a kept version that is not active, such as a pending one. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, `NOT_FOUND`, and `CONFLICT` for the active version.
 */
export const discardVersion = async (
  ctx: Context,
  { name, version }: { name: string; version: string },
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const { title, unused } = await changePlugins<{ title: string; unused: string | null }>(
      ctx,
      {
        type: "admin_action",
        action: "Discarded a plugin's version",
        description: version,
        pluginName: name,
        described: (done) => ({ description: `${done.title} ${version}` }),
      },
      async ({ tx, catalogue, now, raise }) => {
        const installed = getInstalled(catalogue, name);
        const target = installed.versions.find((kept) => kept.version === version);
        if (target === undefined) throw new AppError("NOT_FOUND", pluginTexts.unknownVersion);
        if (target === installed.current) throw new AppError("CONFLICT", pluginTexts.versionInForce);
        await deleteVersions(tx, name, [version]);
        const isWaiting = installed.row.pendingVersion === version;
        await updatePlugin(tx, name, {
          ...(isWaiting ? { pendingVersion: null, pendingError: null } : {}),
          generation: await raise(),
          updatedAt: now,
        });
        return { title: titleIn(installed), unused: target.objectKey };
      },
    );
    await deletePackages(ctx, [unused]);
    return { message: pluginTexts.discarded(title, version), data: await showPlugin(ctx, name) };
  });
};

/**
 * Installs a deleted plugin that is part of Atrium again; it is disabled. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND` for one that is not part of it, and `CONFLICT` for one that is installed.
 */
export const restorePlugin = async (
  ctx: Context,
  { name }: { name: string },
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const { verified, title } = await recordingFailure(ctx, refusalOf(name), async () => {
      const bundled = ctx.plugins.bundled.find((plugin) => plugin.name === name);
      if (bundled === undefined) throw new AppError("PLUGIN_NOT_FOUND", pluginTexts.notBundled);
      const own = bundled.manifest.title;
      if ((await readCatalogue(ctx.db)).installed.has(name))
        throw new AppError("CONFLICT", pluginTexts.installedAlready(own));
      const { verified: read } = await verifyUpload(ctx, await bundled.packed());
      return { verified: read, title: own };
    });
    await installNew(ctx, { verified, objectKey: null });
    await ctx.plugins.converge([name]);
    return { message: pluginTexts.restored(title), data: await showPlugin(ctx, name) };
  });
};
