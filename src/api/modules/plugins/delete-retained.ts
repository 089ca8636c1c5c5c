import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { changePlugins } from "./change-plugins.ts";
import { deleteData } from "./data-store.ts";
import { deleteFiles } from "./plugin-files.ts";
import { publisherName, publisherOfRow, retainedRows } from "./publisher.ts";
import { inTurn } from "./serial.ts";
import { dataKeyOf, deletePlugin, emptied, type PluginRow, updatePlugin } from "./store.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/**
 * Deletes what is kept of a publisher's plugin that was replaced or deleted; what is installed stays as it is. For admins
 * and the operator. Throws `NOT_FOUND` where nothing of that publisher is kept.
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
        // The row of one that is part of Atrium stays: it says that somebody deleted it.
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
