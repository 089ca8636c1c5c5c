import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";

/** Where the files that plugins write lie in the object store, each plugin's in a folder of its name. */
export const allFilesPrefix = "plugin-files/";

/** Where the files of one plugin lie. */
export const filesPrefix = (plugin: string): string => `${allFilesPrefix}${plugin}/`;

/** Deletes all files that a plugin wrote. */
export const deleteFiles = async (
  { objects, log }: Pick<Context, "objects" | "log">,
  plugin: string,
): Promise<void> => {
  try {
    for (const { key } of await objects.list(filesPrefix(plugin))) await objects.delete(key);
  } catch (error) {
    // The plugin is gone already; a later start sweeps what is left.
    log.warn("files of a deleted plugin are left", { plugin, error: describeError(error) });
  }
};
