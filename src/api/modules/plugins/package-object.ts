import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { newId } from "#api/core/ids.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";

/** Where packages lie in the object store. */
export const packagesPrefix = "packages/";

/**
 * Stores a package before anything speaks of it, and gives its key. No other upload has that key, not even one of the same
 * bytes: whoever is refused can delete what it stored.
 */
export const putPackage = async (
  { objects }: Pick<Context, "objects">,
  { manifest: { name, version }, sha256 }: VerifiedPackage,
  bytes: Uint8Array,
): Promise<string> => {
  const key = `${packagesPrefix}${name}/${version}-${sha256.slice(0, 12)}-${newId().slice(-8)}.zip`;
  await objects.put(key, bytes, { contentType: "application/zip" });
  return key;
};

/** Deletes packages that nothing speaks of any more. */
export const deletePackages = async (
  { objects, log }: Pick<Context, "objects" | "log">,
  keys: readonly (string | null)[],
): Promise<void> => {
  for (const key of keys) {
    if (key === null) continue;
    try {
      await objects.delete(key);
    } catch (error) {
      // A later start sweeps what is left.
      log.warn("an unused plugin package could not be deleted", { key, error: describeError(error) });
    }
  }
};
