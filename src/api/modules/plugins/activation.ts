import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Candidate, VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { keptVersions, type Permission } from "#contract/plugins.ts";
import { changePlugins, type HeldPlugins, type Installed, isNewer, type StoredVersion } from "./catalogue.ts";
import { deleteVersions, markActivated, type PluginRow, updatePlugin } from "./store.ts";
import { beyond } from "./trust.ts";

/** A version to activate, and whether an admin consents to everything that it requests. */
export type NextVersion = {
  installed: Pick<Installed, "row" | "versions">;
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  hasConsent: boolean;
  isEnabled: boolean;
};

/** The grants of a version once it is active: never more than it requests. */
export const grantsFor = ({ installed: { row }, verified, hasConsent }: Omit<NextVersion, "isEnabled">) =>
  hasConsent || verified.tier === "bundled"
    ? verified.manifest.permissions
    : within(verified.manifest.permissions, row.granted);

/**
 * Makes a stored version the active one, with its grants and their log rows. Resolves to the keys of packages that are
 * no longer kept, to be deleted after the commit.
 */
export const makeActive = async (held: HeldPlugins, change: NextVersion): Promise<(string | null)[]> => {
  const { tx, now } = held;
  const { installed, verified, hasConsent, isEnabled } = change;
  const { row, versions } = installed;
  const { name, version } = verified.manifest;
  const granted = grantsFor(change);
  const { pendingVersion } = row;
  // Versions older than the new active one are no longer pending.
  const isWaitingOver =
    pendingVersion !== null &&
    (pendingVersion === version || (version !== row.version && !isNewer(pendingVersion, version)));
  const next: Partial<PluginRow> = {
    version,
    isEnabled,
    isBundled: verified.tier === "bundled",
    generation: await held.raise(),
    granted,
    consentedSha256: hasConsent ? verified.sha256 : row.consentedSha256,
    publisherKeyId: row.publisherKeyId ?? verified.signature.keyId,
    ...(isWaitingOver ? { pendingVersion: null } : {}),
    // Without a pending version, the error says why this plugin could not be enabled.
    pendingError: isWaitingOver || pendingVersion === null ? null : row.pendingError,
    // Why one version was stopped doesn't concern another.
    ...(isEnabled || version !== row.version ? { quarantineReason: null } : {}),
    ...(isEnabled ? { migratedVersion: version } : {}),
    updatedAt: now,
  };
  await updatePlugin(tx, name, next);
  await markActivated(tx, { plugin: name, version, signature: verified.signature, now });
  await recordGrants(held, { name, title: verified.manifest.title, before: row.granted, after: granted });
  const dropped = isWaitingOver && pendingVersion !== version ? pendingVersion : null;
  const waiting = isWaitingOver ? null : pendingVersion;
  return prune(tx, name, { versions, needed: [version, waiting], dropped });
};

/**
 * Deletes a dropped version and those beyond the number that is kept, the ones activated longest ago. Resolves to the
 * keys of their packages.
 */
export const prune = async (
  tx: Database,
  name: string,
  {
    versions,
    needed,
    dropped,
  }: { versions: readonly StoredVersion[]; needed: (string | null)[]; dropped: string | null },
): Promise<(string | null)[]> => {
  const used = needed.filter((version) => version !== null);
  const others = versions
    .filter(({ version }) => !used.includes(version) && version !== dropped)
    .sort((one, other) => lastUse(other) - lastUse(one));
  const surplus = [
    ...others.slice(keptVersions - used.length),
    ...versions.filter(({ version }) => version === dropped),
  ];
  await deleteVersions(
    tx,
    name,
    surplus.map((old) => old.version),
  );
  return surplus.map(({ objectKey }) => objectKey);
};

const recordGrants = async (
  { record }: HeldPlugins,
  { name, title, before, after }: { name: string; title: string; before: Permission[]; after: Permission[] },
): Promise<void> => {
  const given = beyond(after, before);
  const taken = beyond(before, after);
  const change = { pluginName: name, before: { granted: before }, after: { granted: after } };
  if (given.length > 0)
    await record({
      ...change,
      type: "permission_granted",
      action: "Granted permissions to a plugin",
      description: `${title}: ${given.map(inWords).join(", ")}`,
      severity: "high",
    });
  if (taken.length > 0)
    await record({
      ...change,
      type: "permission_revoked",
      action: "Revoked permissions of a plugin",
      description: `${title}: ${taken.map(inWords).join(", ")}`,
    });
};

const inWords = ({ name, hosts = [], plugins = [] }: Permission): string => {
  const about = [...hosts, ...plugins];
  return about.length === 0 ? name : `${name} (${about.join(", ")})`;
};

/** The requested permissions, as far as they are granted. */
const within = (requested: readonly Permission[], granted: readonly Permission[]): Permission[] =>
  requested.flatMap((permission) => {
    const known = granted.find(({ name }) => name === permission.name);
    if (known === undefined) return [];
    const { hosts, plugins } = permission;
    return [
      {
        ...permission,
        ...(hosts === undefined ? {} : { hosts: hosts.filter((host) => known.hosts?.includes(host)) }),
        ...(plugins === undefined
          ? {}
          : { plugins: plugins.filter((plugin) => known.plugins?.includes(plugin)) }),
      },
    ];
  });

const lastUse = ({ activatedAt, uploadedAt }: StoredVersion): number => (activatedAt ?? uploadedAt).getTime();

/**
 * Starts a version next to the active one, and only then makes the change that activates it; without that change it is
 * stopped again. Nothing is started on a server without plugins. Throws `PLUGIN_START_FAILED`, and what `commit`
 * throws.
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

/** Runs the steps before a change; a refusal is recorded as the change's failure. Throws what `work` throws. */
export const recordingFailure = async <T>(
  ctx: Context,
  entry: ActivityEntry,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // Anything else is a bug, which is in the application's log.
    if (error instanceof AppError)
      noteActivity(ctx, { ...entry, status: "failure", description: error.message });
    throw error;
  }
};

/**
 * Activates a version. If it could not start, a pending version shows the reason, the failure is recorded, and
 * `PLUGIN_START_FAILED` is thrown with the reason.
 */
export const recordFailedStart = async <T>(
  ctx: Context,
  { installed, target }: { installed: Installed; target: StoredVersion },
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "PLUGIN_START_FAILED") throw error;
    const { name, version, title } = target.manifest;
    const message = pluginTexts.startFailed(`${title} ${version}`, error.message);
    await changePlugins(
      ctx,
      {
        type: "plugin_failed",
        action: "A plugin could not start",
        status: "failure",
        severity: "high",
        description: message,
        pluginName: name,
      },
      async ({ tx, catalogue }) => {
        const isWaiting = catalogue.installed.get(name)?.row.pendingVersion === version;
        if (isWaiting && installed.row.isEnabled)
          await updatePlugin(tx, name, { pendingError: error.message });
      },
    );
    throw new AppError("PLUGIN_START_FAILED", message, { cause: error });
  }
};
