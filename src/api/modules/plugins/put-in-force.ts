import type { Database } from "#api/core/database.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { keptVersions, type Permission } from "#contract/plugins.ts";
import type { HeldPlugins, Installed, StoredVersion } from "./catalogue.ts";
import { beyond } from "./consent.ts";
import { deleteVersions, markActivated, type PluginRow, updatePlugin } from "./store.ts";
import { isNewer } from "./versions.ts";

/** A version to be put in force, and whether an admin agrees to all that it asks for. */
export type InForce = {
  installed: Pick<Installed, "row" | "versions">;
  verified: Pick<VerifiedPackage, "manifest" | "sha256" | "signature" | "tier">;
  hasConsent: boolean;
  isEnabled: boolean;
};

/** What is granted to a version once it is in force: never more than it asks for. */
export const grantsFor = ({ installed: { row }, verified, hasConsent }: Omit<InForce, "isEnabled">) =>
  hasConsent || verified.tier === "bundled"
    ? verified.manifest.permissions
    : within(verified.manifest.permissions, row.granted);

/**
 * Makes a stored version the one in force, with what is granted to it and the rows about that in the log. Resolves to the
 * keys of packages that are not kept any longer, to be deleted after the commit.
 */
export const putInForce = async (held: HeldPlugins, change: InForce): Promise<(string | null)[]> => {
  const { tx, now } = held;
  const { installed, verified, hasConsent, isEnabled } = change;
  const { row, versions } = installed;
  const { name, version } = verified.manifest;
  const granted = grantsFor(change);
  const { pendingVersion } = row;
  // What comes before the version that takes over is nothing to wait for any more.
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
    // Without a waiting version it is why this plugin could not be enabled before.
    pendingError: isWaitingOver || pendingVersion === null ? null : row.pendingError,
    // Why a version was stopped says nothing of another one.
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
 * Forgets a dropped version and those that are not kept besides the needed ones: the ones in force longest ago. Resolves to
 * the keys of their packages.
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

/** What is asked for, as far as it is granted. */
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
