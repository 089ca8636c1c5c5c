import type { Context } from "#api/core/context.ts";
import type { Candidate } from "#api/core/plugins.ts";

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
