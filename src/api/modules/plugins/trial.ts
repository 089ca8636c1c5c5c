import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Candidate } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { changePlugins, type Installed, type StoredVersion } from "./catalogue.ts";
import { updatePlugin } from "./store.ts";

/**
 * Starts a version next to the active one, and only then makes the change that activates it; without that change it is
 * stopped again. Nothing is started on a server without plugins. Throws `PLUGIN_START_FAILED`, and what `commit`
 * throws.
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
 * Runs the steps before a change; a refusal is recorded as the change's failure, unless `isOurs` says that it is
 * recorded elsewhere. Throws what `work` throws.
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
    // Anything else is a bug, which is in the application's log.
    if (error instanceof AppError && isOurs(error))
      noteActivity(ctx, { ...entry, status: "failure", description: error.message });
    throw error;
  }
};

/**
 * Activates a version. If it could not start, a pending version shows the reason, the failure is recorded, and
 * `PLUGIN_START_FAILED` is thrown with the reason.
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
