import type { ActivityEntry } from "#api/core/activity.ts";
import { nameOfActor, requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { PackagePreview, Plugin, TrustedKey } from "#contract/plugins.ts";
import { advance, prune, recordingFailure, requireUnchanged } from "./activation.ts";
import {
  changePlugins,
  checkDependencies,
  checkDependents,
  cycleOf,
  dependenciesOf,
  type HeldPlugins,
  inTurn,
  isNewer,
} from "./catalogue.ts";
import { deletePackages, type InstallOutcome, putPackage, type StoredPackage } from "./packages.ts";
import { showPlugin } from "./read-plugins.ts";
import {
  type Catalogue,
  type Installed,
  markActivated,
  readCatalogue,
  type StoredVersion,
  storedManifest,
  updatePlugin,
  writePlugin,
  writeVersion,
} from "./store.ts";
import {
  beginningOf,
  beyond,
  checkUpload,
  consentRequired,
  isRetained,
  needsConsent,
  publisherChange,
  publisherOf,
  publisherOfRow,
  readTrustedKeys,
  requireSamePublisher,
  retainedOf,
  shelve,
  unshelve,
} from "./trust.ts";

/** The bytes of a package; `allowDowngrade` accepts an older version, or the same one again. */
type InstallInput = { bytes: Uint8Array; allowDowngrade: boolean };

/**
 * Installs a package. A new plugin is installed disabled. The version of a disabled plugin is replaced. For a running
 * plugin, a version that requests nothing new takes over once it has started next to the old one; any other version,
 * and any version of another publisher, stays pending. For admins and the operator. Throws `PLUGIN_INVALID`, also for a
 * name that belongs to a plugin of Atrium, `PLUGIN_EXISTS` for a version that is not newer, and `SESSION_REQUIRED` for
 * a token with what an earlier release of Atrium shipped; a refused package leaves only a row in the log.
 */
export const installPackage = async (
  ctx: Context,
  { bytes, allowDowngrade }: InstallInput,
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  const { verified, keys } = await recordingFailure(ctx, refusalOf(), () => verifyUpload(ctx, bytes));
  const { name } = verified.manifest;
  return inTurn(ctx, name, async () => {
    const catalogue = await readCatalogue(ctx.db);
    const installed = await recordingFailure(ctx, refusalOf(name), () =>
      checkUpload(ctx, catalogue, { verified, allowDowngrade }),
    );
    const objectKey = await putPackage(ctx, verified, bytes);
    const stored = { verified, objectKey };
    const { message, unused } = await orDelete(ctx, stored, () =>
      installed === null
        ? installNew(ctx, stored)
        : updateInstalled(ctx, { installed, stored, catalogue, keys }),
    );
    await deletePackages(ctx, unused);
    await ctx.plugins.converge([name]);
    return { message, data: await showPlugin(ctx, name) };
  });
};

/** Deletes the stored package if it did not become a version of the plugin. Throws what `work` throws. */
const orDelete = async <T>(ctx: Context, stored: StoredPackage, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    await deleteUnlessStored(ctx, stored);
    throw error;
  }
};

/** A commit may have succeeded although its response was lost: then the package stays. */
const deleteUnlessStored = async (ctx: Context, { verified, objectKey }: StoredPackage): Promise<void> => {
  try {
    const { installed } = await readCatalogue(ctx.db);
    const kept = installed.get(verified.manifest.name)?.versions ?? [];
    if (kept.some((version) => version.objectKey === objectKey)) return;
  } catch {
    // The caller already gets the original error; a later start deletes what is left.
    return;
  }
  await deletePackages(ctx, [objectKey]);
};

/** Installs a new plugin, disabled, with what was kept of its publisher's plugin of that name. */
export const installNew = (ctx: Context, stored: StoredPackage): Promise<InstallOutcome> => {
  const { manifest, sha256, signature, tier } = stored.verified;
  const { name, version, title } = manifest;
  return changePlugins<InstallOutcome>(
    ctx,
    {
      ...refusal,
      pluginName: name,
      described: () => ({
        type: "plugin_installed",
        action: "Installed a plugin",
        description: `${title} ${version}`,
        after: { version, sha256, signature: signature.state },
      }),
    },
    async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), null);
      const { tx, now, catalogue } = held;
      const publisher = publisherOf(signature);
      const generation = await held.raise();
      const former = catalogue.removed.get(name);
      if (former !== undefined && isRetained(former) && publisherOfRow(former) !== publisher)
        await shelve(tx, catalogue, { row: former, now });
      await storeVersion(ctx, held, { ...stored, versions: [] });
      await markActivated(tx, { plugin: name, version, signature, now });
      await writePlugin(tx, {
        ...beginningOf(catalogue, { name, publisher, generation }),
        ...{ name, version, generation, isEnabled: false, isBundled: tier === "bundled" },
        publisherKeyId: signature.keyId,
        ...{ pendingVersion: null, pendingError: null, quarantineReason: null },
        ...{ installedBy: nameOfActor(ctx.actor), installedAt: now, updatedAt: now, removedAt: null },
      });
      await unshelve(tx, name, publisher);
      return { message: pluginTexts.installed(title, version), unused: [] };
    },
  );
};

type Update = {
  installed: Installed;
  stored: StoredPackage;
  catalogue: Catalogue;
  keys: readonly TrustedKey[];
};

/** Updates a plugin. If something prevents it, the version is stored as pending, and the active one keeps running. */
const updateInstalled = async (
  ctx: Context,
  { installed, stored, catalogue, keys }: Update,
): Promise<InstallOutcome> => {
  const { verified, objectKey } = stored;
  const { name, version } = verified.manifest;
  const { row } = installed;
  const { isEnabled } = row;
  const check = (now: Catalogue): void => checkRunnable(now, { verified, row });
  try {
    requireSamePublisher({ verified, row }, keys);
    // What a disabled plugin requires is checked when it is enabled.
    if (isEnabled) check(catalogue);
    const unused = await advance(ctx, {
      ...{ installed, verified, hasConsent: false, isEnabled, check },
      stored: { sha256: verified.sha256, objectKey, storedAt: null },
      store: (held) => storeVersion(ctx, held, { ...stored, ...installed }),
      act: {
        ...refusal,
        described: () => ({
          ...updated(installed, stored),
          type: isEnabled ? "plugin_hot_reloaded" : "plugin_updated",
        }),
      },
    });
    return { message: movedTo(installed, stored), unused };
  } catch (error) {
    if (!(error instanceof AppError) || !canWait.has(error.kind)) throw error;
    // It would overwrite the bytes that are running.
    if (version === row.version)
      return recordingFailure(ctx, refusalOf(name), () => {
        throw error;
      });
    return wait(ctx, { installed, stored, obstacle: error });
  }
};

const canWait: ReadonlySet<string> = new Set([
  "CONSENT_REQUIRED",
  "PUBLISHER_CHANGED",
  "DEPENDENCY_DISABLED",
  "PLUGIN_NEEDED",
  "PLUGIN_UNTRUSTED",
  "PLUGIN_START_FAILED",
]);

const checkRunnable = (
  catalogue: Catalogue,
  { verified, row }: { verified: VerifiedPackage; row: Installed["row"] },
): void => {
  if (verified.distrust !== null) throw new AppError("PLUGIN_UNTRUSTED", verified.distrust);
  checkDependencies(catalogue, verified.manifest);
  checkDependents(catalogue, verified.manifest);
  if (needsConsent({ verified, row })) throw consentRequired(verified);
};

const wait = (
  ctx: Context,
  { installed, stored, obstacle }: { installed: Installed; stored: StoredPackage; obstacle: AppError },
): Promise<InstallOutcome> => {
  const { name, version, title } = stored.verified.manifest;
  // What an admin has to do is clear from the version's state; this is not a failure.
  const asksOnly = obstacle.kind === "CONSENT_REQUIRED" || obstacle.kind === "PUBLISHER_CHANGED";
  const hasFailed = obstacle.kind === "PLUGIN_START_FAILED";
  const message =
    obstacle.kind === "CONSENT_REQUIRED"
      ? pluginTexts.waits(title, version)
      : pluginTexts.waitsFor(title, version, obstacle.message);
  return changePlugins<InstallOutcome>(
    ctx,
    {
      ...refusal,
      pluginName: name,
      described: () => ({
        ...updated(installed, stored),
        type: hasFailed ? "plugin_failed" : "plugin_updated",
        action: "Stored a plugin's new version",
        status: hasFailed ? "failure" : "info",
        severity: hasFailed ? "high" : "low",
        description: message,
      }),
    },
    async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), installed);
      const { versions, replaced } = await storeVersion(ctx, held, { ...stored, ...installed });
      const { row } = installed;
      const unused = await prune(held.tx, name, {
        versions,
        needed: [row.version, version],
        dropped: row.pendingVersion === version ? null : row.pendingVersion,
      });
      await updatePlugin(held.tx, name, {
        pendingVersion: version,
        pendingError: asksOnly ? null : obstacle.message,
        generation: await held.raise(),
        updatedAt: held.now,
      });
      return { message, unused: [...unused, replaced] };
    },
  );
};

/** The message about a version that replaced another. */
export const movedTo = (
  { row }: Installed,
  { verified }: { verified: Pick<StoredPackage["verified"], "manifest"> },
): string => {
  const { title, version } = verified.manifest;
  return isNewer(row.version, version)
    ? pluginTexts.rolledBack(title, version)
    : pluginTexts.updated(title, version);
};

/** The log entry of a version that replaced another. */
export const updated = ({ row }: Installed, { verified }: Pick<StoredPackage, "verified">) =>
  ({
    type: "plugin_updated",
    action: "Updated a plugin",
    description: `${verified.manifest.title}: ${row.version} to ${verified.manifest.version}`,
    severity: "low",
    before: { version: row.version },
    after: { version: verified.manifest.version, sha256: verified.sha256 },
  }) as const;

/**
 * Stores a version, and records that its signature is valid if it has one. Resolves to all versions of the plugin and
 * to the key of the package that it replaced, if any.
 */
const storeVersion = async (
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

// Not a plugin name: packages are read one after the other, because each can take 60 MB.
const reading = "reading packages";

/**
 * Reads and verifies an uploaded package; resolves also to the keys that are trusted then. Throws `PLUGIN_INVALID` and
 * `PAYLOAD_TOO_LARGE`.
 */
export const verifyUpload = (
  ctx: Context,
  bytes: Uint8Array,
): Promise<{ verified: VerifiedPackage; keys: TrustedKey[] }> =>
  inTurn(ctx, reading, async () => {
    const keys = await readTrustedKeys(ctx, ctx.db);
    return { verified: await ctx.plugins.read(bytes, { keys }), keys };
  });

/** The log entry of a refused upload, for {@link recordingFailure}; without `known`, of the plugin that the error names. */
export const refusalOf =
  (known: string | null = null) =>
  (error: AppError): ActivityEntry => {
    const refused = signedPlugin(error);
    const name = known ?? refused;
    return {
      ...refusal,
      type: refused === null ? refusal.type : "signature_failed",
      ...(name === null ? {} : { pluginName: name }),
    };
  };

/** The log entry of a refused package. */
const refusal = {
  type: "plugin_failed",
  action: "Refused a plugin package",
  severity: "medium",
} as const;

/** The plugin whose package was refused because of its signature; `null` for any other refusal. */
const signedPlugin = ({ data }: AppError): string | null =>
  typeof data === "object" && data !== null && "signature" in data && "plugin" in data
    ? String(data.plugin)
    : null;

/**
 * Describes a package and what installing it would do; nothing is stored and nothing of it runs. For admins and the
 * operator. Throws `PLUGIN_INVALID` for a package that could never be installed.
 */
export const inspectPackage = async (
  ctx: Context,
  { bytes }: { bytes: Uint8Array },
): Promise<PackagePreview> => {
  requireAdmin(ctx);
  const { verified, keys } = await verifyUpload(ctx, bytes);
  const catalogue = await readCatalogue(ctx.db);
  const { manifest, sizeBytes, files, signature, tier } = verified;
  const { name, title, version, description, type, author, permissions } = manifest;
  const row = catalogue.installed.get(name)?.row;
  const publisherChanged = row === undefined ? null : publisherChange({ verified, row }, keys);
  // Another publisher's package starts with what was kept of its own.
  const retained = retainedOf(catalogue, name, publisherOf(signature));
  const granted = (publisherChanged === null ? (row ?? retained) : retained)?.granted ?? [];
  return {
    ...{ name, title, version, description, type, author, sizeBytes, files, signature, tier, permissions },
    newPermissions: tier === "bundled" ? [] : beyond(permissions, granted),
    dependencies: dependenciesOf(catalogue, manifest),
    publisherChanged,
    installedVersion: row?.version ?? null,
    ...objectionsTo(ctx, catalogue, verified),
    hasRetainedData: retained !== null,
  };
};

const objectionsTo = (
  ctx: Context,
  catalogue: Catalogue,
  verified: VerifiedPackage,
): Pick<PackagePreview, "obstacles" | "needsDowngrade"> => {
  const obstacles: string[] = [];
  let needsDowngrade = false;
  try {
    checkUpload(ctx, catalogue, { verified, allowDowngrade: false });
  } catch (error) {
    // The preview reports obstacles instead of throwing.
    if (!(error instanceof AppError)) throw error;
    needsDowngrade = error.kind === "PLUGIN_EXISTS";
    if (!needsDowngrade) obstacles.push(error.message);
  }
  if (verified.distrust !== null) obstacles.push(verified.distrust);
  const ring = cycleOf(catalogue, verified.manifest);
  if (ring.length > 0) obstacles.push(pluginTexts.cycle(verified.manifest.title, ring));
  return { obstacles, needsDowngrade };
};
