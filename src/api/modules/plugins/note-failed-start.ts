import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Installed, StoredVersion } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { updatePlugin } from "./store.ts";

/**
 * Does what puts a version in force. When that could not start, a waiting version says why from then on, the log has the
 * failure, and `PLUGIN_START_FAILED` is thrown with the reason.
 */
export const noteFailedStart = async <T>(
  ctx: Context,
  { installed, target }: { installed: Installed; target: StoredVersion },
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "PLUGIN_START_FAILED") throw error;
    const { name, version, title } = target.manifest;
    const message = pluginTexts.startFailed(`${title} ${version}`, error.message);
    await changePlugins(
      ctx,
      {
        type: "plugin_failed",
        action: "A plugin could not start",
        status: "failure",
        severity: "high",
        description: message,
        pluginName: name,
      },
      async ({ tx, catalogue }) => {
        const isWaiting = catalogue.installed.get(name)?.row.pendingVersion === version;
        if (isWaiting && installed.row.isEnabled)
          await updatePlugin(tx, name, { pendingError: error.message });
      },
    );
    throw new AppError("PLUGIN_START_FAILED", message, { cause: error });
  }
};
