import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Candidate } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { changePlugins, type Installed, type StoredVersion } from "./catalogue.ts";
import { updatePlugin } from "./store.ts";

/**
 * Starts a version beside the one in force, and only then makes the change that puts it in force; without that change it
 * ends again. Nothing is tried where no plugin runs. Throws `PLUGIN_START_FAILED`, and what `commit` throws.
 */
export const withTrial = async <T>(
  { plugins }: Context,
  candidate: Candidate | null,
  commit: () => Promise<T>,
): Promise<T> => {
  if (candidate === null || plugins.isSafeMode) return commit();
  const trial = await plugins.try(candidate);
  trial.keep();
  try {
    return await commit();
  } catch (error) {
    await trial.discard();
    throw error;
  }
};

/**
 * Does what comes before a change; a refusal stands in the log as the change's failure, unless `isOurs` says that somebody
 * else notes it. Throws what `work` throws.
 */
export const notingFailure = async <T>(
  ctx: Context,
  entry: ActivityEntry,
  work: () => Promise<T>,
  isOurs: (error: AppError) => boolean = () => true,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // What is no refusal is a fault of ours: the application's log has it.
    if (error instanceof AppError && isOurs(error))
      noteActivity(ctx, { ...entry, status: "failure", description: error.message });
    throw error;
  }
};

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
