import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { type Catalogue, type Installed, readCatalogue } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { consentRequired, needsConsent } from "./consent.ts";
import { checkDependencies, checkDependents } from "./dependencies.ts";
import { storeVersion } from "./new-version.ts";
import { requireSamePublisher } from "./publisher.ts";
import { grantsFor, prune, putInForce } from "./put-in-force.ts";
import { movedTo, replaceVersion, updated } from "./replace-version.ts";
import { updatePlugin } from "./store.ts";
import { type InstallOutcome, requireUnchanged, type StoredPackage } from "./stored-upload.ts";
import { withTrial } from "./trial.ts";
import { readTrustedKeys } from "./trusted-keys.ts";
import { notingRefusal, refusal } from "./verify-upload.ts";

/**
 * Brings a plugin to a version that just came, once that has started beside the one in force; one that is disabled just gets
 * it. When something stands against it, it is stored and waits, and the one in force keeps running.
 */
export const updateInstalled = async (
  ctx: Context,
  installed: Installed,
  stored: StoredPackage,
): Promise<InstallOutcome> => {
  const { name, version } = stored.verified.manifest;
  const { row } = installed;
  try {
    requireSamePublisher({ verified: stored.verified, row }, await readTrustedKeys(ctx, ctx.db));
    if (!row.isEnabled) return await replaceVersion(ctx, installed, stored);
    checkRunnable(await readCatalogue(ctx.db), { installed, stored });
    return await withTrial(ctx, candidateOf(installed, stored), () => swap(ctx, installed, stored));
  } catch (error) {
    if (!(error instanceof AppError) || !canWait.has(error.kind)) throw error;
    // It would take the place of the bytes that run.
    if (version === row.version)
      return notingRefusal(ctx, name, () => {
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
  { installed, stored: { verified } }: { installed: Installed; stored: StoredPackage },
): void => {
  if (verified.distrust !== null) throw new AppError("PLUGIN_UNTRUSTED", verified.distrust);
  checkDependencies(catalogue, verified.manifest);
  checkDependents(catalogue, verified.manifest);
  if (needsConsent({ verified, row: installed.row })) throw consentRequired(verified);
};

const candidateOf = (installed: Installed, { verified, objectKey }: StoredPackage) => ({
  name: verified.manifest.name,
  version: verified.manifest.version,
  sha256: verified.sha256,
  objectKey,
  storedAt: null,
  granted: grantsFor({ installed, verified, hasConsent: false }),
  migrateFrom: installed.row.migratedVersion,
});

const swap = (ctx: Context, installed: Installed, stored: StoredPackage): Promise<InstallOutcome> => {
  const { name } = stored.verified.manifest;
  return changePlugins<InstallOutcome>(
    ctx,
    {
      ...refusal,
      pluginName: name,
      described: () => ({ ...updated(installed, stored), type: "plugin_hot_reloaded" }),
    },
    async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), installed);
      checkRunnable(held.catalogue, { installed, stored });
      const { versions, replaced } = await storeVersion(ctx, held, { ...stored, ...installed });
      const unused = await putInForce(held, {
        installed: { row: installed.row, versions },
        verified: stored.verified,
        hasConsent: false,
        isEnabled: true,
      });
      return { message: movedTo(installed, stored), unused: [...unused, replaced] };
    },
  );
};

const wait = (
  ctx: Context,
  { installed, stored, obstacle }: { installed: Installed; stored: StoredPackage; obstacle: AppError },
): Promise<InstallOutcome> => {
  const { name, version, title } = stored.verified.manifest;
  // What an admin has to do about it is told by what the version is, and no failure.
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
