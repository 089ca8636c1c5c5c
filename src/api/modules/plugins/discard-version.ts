import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { getInstalled } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { titleIn } from "./dependencies.ts";
import { deletePackages } from "./package-object.ts";
import { inTurn } from "./serial.ts";
import { showPlugin } from "./show-plugin.ts";
import { deleteVersions, updatePlugin } from "./store.ts";

/**
 * Deletes a kept version that is not in force, such as one that waits. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, `NOT_FOUND`, and `CONFLICT` for the version in force.
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
