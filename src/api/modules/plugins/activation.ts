import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import type { AdminAct } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Candidate, VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { keptVersions, type Permission } from "#contract/plugins.ts";
import { changePlugins, type HeldPlugins, isNewer } from "./catalogue.ts";
import {
  type Catalogue,
  deleteVersions,
  type Installed,
  markActivated,
  type PluginRow,
  type StoredVersion,
  updatePlugin,
} from "./store.ts";
import { beyond } from "./trust.ts";

/** A version to activate, and whether an admin consents to everything that it requests. */
type NextVersion = {
  installed: Pick<Installed, "row" | "versions">;
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  hasConsent: boolean;
  /** Whether the plugin is enabled afterwards. */
  isEnabled: boolean;
};

/** How an installed plugin gets to another version, or from disabled to enabled. */
type Advance = NextVersion & {
  installed: Installed;
  /** The package in the store; `storedAt` is `null` for one that was just uploaded. */
  stored: Pick<Candidate, "sha256" | "objectKey" | "storedAt">;
  /** Throws what prevents that it runs, by what is installed then. */
  check: (catalogue: Catalogue) => void;
  /** Stores an uploaded version; resolves to all versions then, and the key of the package that it replaced. */
  store?: (held: HeldPlugins) => Promise<{ versions: StoredVersion[]; replaced: string | null }>;
  act: Omit<AdminAct<(string | null)[]>, "events">;
};

/**
 * Activates a version of an installed plugin. Resolves to the keys of packages that are no longer referenced. Throws
 * `CONFLICT` if the plugin was changed meanwhile, what `check` throws, and `PLUGIN_START_FAILED`.
 *
 * | plugin   | event                             | next     | what is done                                         |
 * | -------- | --------------------------------- | -------- | ---------------------------------------------------- |
 * | unknown  | upload                            | disabled | installed with what was kept for its publisher       |
 * | disabled | upload, other version             | disabled | that version is the active one                       |
 * | disabled | enabled, with consent if needed   | enabled  | started here first                                   |
 * | enabled  | upload that requests nothing new  | enabled  | started next to the active one, which it replaces    |
 * | enabled  | any other upload, or a failed one | enabled  | the version is pending; the active one keeps running |
 * | enabled  | other version, with consent       | enabled  | started next to the active one, which it replaces    |
 * | any      | another publisher's version       | as it is | disabled first, enabled afterwards                   |
 * | enabled  | disabled, deleted                 | disabled | together with the plugins that need it               |
 * | enabled  | quarantined by a server           | disabled | see `supervisePlugin`                                |
 *
 * What has to be started is started before the change is stored, and stopped again if that fails; on a server without
 * plugins nothing is started.
 */
export const advance = async (ctx: Context, move: Advance): Promise<(string | null)[]> => {
  const { installed, verified, isEnabled, store } = move;
  const { row } = installed;
  const { name, version } = verified.manifest;
  const commit = () =>
    changePlugins(ctx, { ...move.act, pluginName: name }, async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), installed);
      if (isEnabled) move.check(held.catalogue);
      const { versions, replaced } = (await store?.(held)) ?? { ...installed, replaced: null };
      return [...(await makeActive(held, { ...move, installed: { row, versions } })), replaced];
    });
  if (!isEnabled || ctx.plugins.isSafeMode) return commit();
  const granted = grantsFor(move);
  const trial = await ctx.plugins.try({
    ...{ name, version, ...move.stored, granted, migrateFrom: row.migratedVersion },
  });
  trial.keep();
  try {
    return await commit();
  } catch (error) {
    await trial.discard();
    throw error;
  }
};

/**
 * The same for a stored version: if it could not start, that is recorded as the plugin's failure, and shown as the
 * reason why the pending version, or the disabled plugin, does not run.
 */
export const advanceStored = async (ctx: Context, move: Advance): Promise<(string | null)[]> => {
  try {
    return await advance(ctx, move);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "PLUGIN_START_FAILED") throw error;
    const { name, version, title } = move.verified.manifest;
    const isOther = version !== move.installed.row.version;
    const message = pluginTexts.startFailed(isOther ? `${title} ${version}` : title, error.message);
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
        const row = catalogue.installed.get(name)?.row;
        // Of a disabled plugin with a pending version, it would be taken for the reason why that one doesn't run.
        if (row !== undefined && row.pendingVersion === (row.isEnabled ? version : null))
          await updatePlugin(tx, name, { pendingError: error.message });
      },
    );
    throw new AppError("PLUGIN_START_FAILED", message, { cause: error });
  }
};

/** Throws `CONFLICT` if someone has changed the plugin meanwhile. */
export const requireUnchanged = (now: Installed | undefined, then: Installed | null): void => {
  if (now?.row.generation !== then?.row.generation)
    throw new AppError("CONFLICT", pluginTexts.changedMeanwhile);
};

/** The grants of a version once it is active: never more than it requests. */
const grantsFor = ({ installed: { row }, verified, hasConsent }: Omit<NextVersion, "isEnabled">) =>
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
 * Runs the steps before a change; a refusal is recorded as `entryOf` describes it. Throws what `work` throws.
 */
export const recordingFailure = async <T>(
  ctx: Context,
  entryOf: (error: AppError) => ActivityEntry,
  work: () => T | Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // Anything else is a bug, which is in the application's log.
    if (error instanceof AppError)
      noteActivity(ctx, { ...entryOf(error), status: "failure", description: error.message });
    throw error;
  }
};
