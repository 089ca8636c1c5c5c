import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { digestOf } from "#api/core/ids.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { type Catalogue, readCatalogue, storedManifest } from "./catalogue.ts";
import { allFilesPrefix, deleteFiles, deletePackages, packagesPrefix } from "./packages.ts";
import { isRetained } from "./publisher.ts";
import { dataKeyOf, lockPlugins, nextGeneration, updatePlugin, writePlugin, writeVersion } from "./store.ts";
import { isNewer } from "./versions.ts";

// A running upload has stored its package, but not referenced it yet.
const youngestMs = 60 * 60 * 1_000;

/**
 * Deletes packages that no version references, and files of deleted plugins, which a killed server can leave behind.
 */
export const sweepPackages = async (services: Services): Promise<void> => {
  const { db, objects, clock } = services;
  const isOld = ({ createdAt }: { createdAt: Date }): boolean =>
    clock.now().getTime() - createdAt.getTime() > youngestMs;
  // Listed before the table is read, so that packages stored meanwhile are not included.
  const packages = (await objects.list(packagesPrefix)).filter(isOld);
  const files = (await objects.list(allFilesPrefix)).filter(isOld);
  const { installed, removed } = await readCatalogue(db);
  const needed = new Set(
    [...installed.values()].flatMap(({ versions }) => versions.map(({ objectKey }) => objectKey)),
  );
  await deletePackages(
    services,
    packages.map(({ key }) => key).filter((key) => !needed.has(key)),
  );
  const owners = new Set(files.map(({ key }) => key.slice(allFilesPrefix.length).split("/")[0] ?? ""));
  const kept = new Set([
    ...[...installed.values()].map(({ row }) => dataKeyOf(row)),
    ...[...removed.values()].filter(isRetained).map(dataKeyOf),
  ]);
  for (const owner of owners) if (!kept.has(owner)) await deleteFiles(services, owner);
};

/**
 * Updates the table of plugins to what is part of this executable: unknown plugins are installed, older versions
 * updated. A plugin that an admin deleted stays deleted, and one that was replaced by another package is not changed.
 */
export const syncBundled = async (services: Services): Promise<void> => {
  const { db, plugins, activity, events } = services;
  const packed = new Map<string, Uint8Array>();
  for (const bundled of due(plugins.bundled, await readCatalogue(db)))
    packed.set(bundled.name, await bundled.packed());
  if (packed.size === 0) return;
  const generation = await db.transaction(async (tx) => {
    await lockPlugins(tx);
    // Another replica may have done it already.
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
