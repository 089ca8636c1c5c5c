import type { Database } from "#api/core/database.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { keptVersions, type Permission } from "#contract/plugins.ts";
import type { HeldPlugins, Installed, StoredVersion } from "./catalogue.ts";
import { beyond } from "./consent.ts";
import { deleteVersions, markActivated, type PluginRow, updatePlugin } from "./store.ts";
import { isNewer } from "./versions.ts";

/** A version to activate, and whether an admin consents to everything that it requests. */
export type InForce = {
  installed: Pick<Installed, "row" | "versions">;
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  hasConsent: boolean;
  isEnabled: boolean;
};

/** The grants of a version once it is active: never more than it requests. */
export const grantsFor = ({ installed: { row }, verified, hasConsent }: Omit<InForce, "isEnabled">) =>
  hasConsent || verified.tier === "bundled"
    ? verified.manifest.permissions
    : within(verified.manifest.permissions, row.granted);

/**
 * Makes a stored version the active one, with its grants and their log rows. Resolves to the keys of packages that are
 * no longer kept, to be deleted after the commit.
 */
export const putInForce = async (held: HeldPlugins, change: InForce): Promise<(string | null)[]> => {
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
