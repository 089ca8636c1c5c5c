import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";

/** Where the files that plugins write lie in the object store, each plugin's in a folder of its data key. */
export const allFilesPrefix = "plugin-files/";

/** Where the files of one plugin lie. */
export const filesPrefix = (dataKey: string): string => `${allFilesPrefix}${dataKey}/`;

/** Deletes all files that a plugin wrote. */
export const deleteFiles = async (
  { objects, log }: Pick<Context, "objects" | "log">,
  dataKey: string,
): Promise<void> => {
  try {
    for (const { key } of await objects.list(filesPrefix(dataKey))) await objects.delete(key);
  } catch (error) {
    // The plugin is gone already; a later start sweeps what is left.
    log.warn("files of a deleted plugin are left", { plugin: dataKey, error: describeError(error) });
  }
};
