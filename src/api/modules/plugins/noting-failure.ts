import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";

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
