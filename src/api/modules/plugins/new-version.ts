import { nameOfActor } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { type StoredVersion, storedManifest } from "./catalogue.ts";
import type { HeldPlugins } from "./change-plugins.ts";
import { writeVersion } from "./store.ts";
import type { StoredPackage } from "./stored-upload.ts";

/**
 * Stores a version, and says in the log that its signature holds when it has one. Resolves to all versions that the plugin
 * has now and to the key of the package whose place it took, if there is one.
 */
export const storeVersion = async (
  ctx: Context,
  { tx, now, record }: HeldPlugins,
  { verified, objectKey, versions }: StoredPackage & { versions: readonly StoredVersion[] },
): Promise<{ versions: StoredVersion[]; replaced: string | null }> => {
  const { manifest, sha256, sizeBytes, signature } = verified;
  const { name: plugin, version, title } = manifest;
  const row = {
    ...{ plugin, version, sha256, sizeBytes, objectKey, signature },
    ...{ uploadedBy: nameOfActor(ctx.actor), uploadedAt: now, activatedAt: null },
  };
  await writeVersion(tx, { ...row, manifest: storedManifest(manifest) });
  if (signature.state === "signed")
    await record({
      type: "signature_verified",
      action: "Verified a plugin's signature",
      description: `${title} ${version}, signed by ${signature.publisher ?? signature.keyId ?? ""}`,
      pluginName: plugin,
    });
  return {
    versions: [...versions.filter((other) => other.version !== version), { ...row, manifest }],
    replaced: versions.find((other) => other.version === version)?.objectKey ?? null,
  };
};
