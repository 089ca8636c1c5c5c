import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { digestOf } from "#api/core/ids.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { type Catalogue, readCatalogue, storedManifest } from "./catalogue.ts";
import { lockPlugins, nextGeneration, updatePlugin, writePlugin, writeVersion } from "./store.ts";
import { isNewer } from "./versions.ts";

/**
 * Brings the table of plugins to what is part of this executable: one that is not known is installed, one in an older
 * version updated. One that an admin deleted stays so, and one that was replaced by another package is left alone.
 */
export const syncBundled = async (services: Services): Promise<void> => {
  const { db, plugins, activity, events } = services;
  const packed = new Map<string, Uint8Array>();
  for (const bundled of due(plugins.bundled, await readCatalogue(db)))
    packed.set(bundled.name, await bundled.packed());
  if (packed.size === 0) return;
  const generation = await db.transaction(async (tx) => {
    await lockPlugins(tx);
    // Another replica may have done it by now.
    const catalogue = await readCatalogue(tx);
    const left = due(plugins.bundled, catalogue);
    if (left.length === 0) return null;
    const next = await nextGeneration(tx);
    for (const bundled of left) {
      const bytes = packed.get(bundled.name);
      if (bytes !== undefined) await install(services, tx, { bundled, bytes, generation: next, catalogue });
    }
    return next;
  });
  activity.wake();
  if (generation !== null) events.publish({ type: "plugins-changed", generation });
};

const due = (bundled: readonly BundledPlugin[], { installed, removed }: Catalogue): BundledPlugin[] =>
  bundled.filter(({ name, version }) => {
    if (removed.has(name)) return false;
    const row = installed.get(name)?.row;
    return row === undefined || (row.isBundled && isNewer(version, row.version));
  });

type Install = { bundled: BundledPlugin; bytes: Uint8Array; generation: number; catalogue: Catalogue };

const install = async (
  { clock, activity }: Services,
  tx: Database,
  { bundled, bytes, generation, catalogue }: Install,
): Promise<void> => {
  const { manifest, isEnabledAtFirst } = bundled;
  const { name, version, permissions: granted } = manifest;
  const now = clock.now();
  await writeVersion(tx, {
    ...{ plugin: name, version, sha256: digestOf(bytes), sizeBytes: bytes.byteLength, objectKey: null },
    manifest: storedManifest(manifest),
    signature: { state: "bundled", keyId: null, publisher: null, signedAt: null },
    ...{ uploadedBy: null, uploadedAt: now, activatedAt: now },
  });
  const known = catalogue.installed.get(name);
  if (known === undefined)
    await writePlugin(tx, {
      ...{ name, version, generation, granted, isBundled: true, isEnabled: isEnabledAtFirst },
      migratedVersion: isEnabledAtFirst ? version : null,
      ...{ installedAt: now, updatedAt: now },
    });
  else await updatePlugin(tx, name, { version, generation, granted, updatedAt: now });
  await activity.record(tx, {
    entry: {
      type: known === undefined ? "plugin_installed" : "plugin_updated",
      action: known === undefined ? "Installed a plugin of Atrium" : "Updated a plugin of Atrium",
      description: `${manifest.title} ${version}`,
      pluginName: name,
    },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at: now,
  });
};
