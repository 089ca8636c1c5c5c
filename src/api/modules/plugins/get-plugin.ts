import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import {
  type PluginDetails,
  type PluginReplica,
  type PluginVersion,
  permissionNames,
  type TrustedKey,
} from "#contract/plugins.ts";
import { type Catalogue, getInstalled, type Installed, readCatalogue } from "./catalogue.ts";
import { beyond } from "./consent.ts";
import { currentTrust } from "./current-trust.ts";
import { selectJobs, selectReplicas, selectUses } from "./data-store.ts";
import { directDependents } from "./dependencies.ts";
import { publisherChange, publisherName, publisherOfRow, retainedOf, retainedRows } from "./publisher.ts";
import { dataOf } from "./read-data.ts";
import { toPlugin } from "./to-plugin.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/** Everything about an installed plugin. For admins and the operator. Throws `PLUGIN_NOT_FOUND`. */
export const getPlugin = async (ctx: Context, { name }: { name: string }): Promise<PluginDetails> => {
  requireAdmin(ctx);
  const catalogue = await readCatalogue(ctx.db);
  const installed = getInstalled(catalogue, name);
  const { row, current } = installed;
  const { manifest } = current;
  const keys = await readTrustedKeys(ctx, ctx.db);
  const uses = new Map((await selectUses(ctx.db, name)).map((use) => [use.permission, use]));
  return {
    ...toPlugin(ctx, installed, keys),
    author: manifest.author,
    homepage: manifest.homepage,
    license: manifest.license,
    runtime: manifest.backend?.runtime ?? null,
    frontendMode: manifest.frontend?.mode ?? null,
    requested: manifest.permissions,
    granted: grantedUses(row, uses),
    refused: refusedUses(row, uses),
    ...pendingOf(catalogue, installed, keys),
    limits: manifest.limits,
    dependencies: manifest.dependsOn,
    dependents: directDependents(catalogue, name).map((dependent) => dependent.row.name),
    versions: shownVersions(installed, keys),
    replicas: await replicasOf(ctx, installed),
    routes: ctx.plugins.observe(name).routes,
    jobs: await jobsOf(ctx, name),
    hasSettings: manifest.settings !== null,
    commands: manifest.commands,
    data: await dataOf(ctx, installed),
    retained: await Promise.all(
      retainedRows(catalogue, name).map(async (kept) => ({
        publisher: publisherOfRow(kept),
        publisherName: publisherName(publisherOfRow(kept), keys),
        version: kept.version,
        retainedAt: (kept.removedAt ?? kept.updatedAt).toISOString(),
        data: await dataOf(ctx, { row: kept }),
      })),
    ),
    installedAt: row.installedAt.toISOString(),
    installedBy: row.installedBy,
    updatedAt: row.updatedAt.toISOString(),
  };
};

/** What agreeing to the waiting version would grant: another publisher's begins with what was kept of its own. */
const pendingOf = (
  catalogue: Catalogue,
  { row, versions }: Installed,
  keys: readonly TrustedKey[],
): Pick<PluginDetails, "pendingPermissions" | "publisherChanged"> => {
  const pending = versions.find(({ version }) => version === row.pendingVersion);
  if (pending === undefined) return { pendingPermissions: [], publisherChanged: null };
  const change = publisherChange({ verified: currentTrust(pending, keys), row }, keys);
  const owner = change === null ? row : retainedOf(catalogue, row.name, change.to);
  return {
    pendingPermissions: beyond(pending.manifest.permissions, owner?.granted ?? []),
    publisherChanged: change,
  };
};

type Uses = ReadonlyMap<string, Awaited<ReturnType<typeof selectUses>>[number]>;

const grantedUses = ({ granted }: Installed["row"], uses: Uses): PluginDetails["granted"] =>
  granted.map((permission) => {
    const use = uses.get(permission.name);
    return {
      ...permission,
      used: use?.used ?? 0,
      refused: use?.refused ?? 0,
      lastUsedAt: use?.lastUsedAt?.toISOString() ?? null,
    };
  });

/** In the order in which permissions are asked for. */
const refusedUses = ({ granted }: Installed["row"], uses: Uses): PluginDetails["refused"] =>
  permissionNames.flatMap((name) => {
    const refused = uses.get(name)?.refused ?? 0;
    return refused === 0 || granted.some((one) => one.name === name) ? [] : [{ name, refused }];
  });

/** Newest upload first. */
const shownVersions = ({ row, current, versions }: Installed, keys: readonly TrustedKey[]): PluginVersion[] =>
  versions
    .toSorted((one, other) => other.uploadedAt.getTime() - one.uploadedAt.getTime())
    .map((kept) => ({
      version: kept.version,
      sizeBytes: kept.sizeBytes,
      sha256: kept.sha256,
      signature: currentTrust(kept, keys).signature,
      publisherChanged: publisherChange({ verified: currentTrust(kept, keys), row }, keys),
      permissions: kept.manifest.permissions,
      uploadedAt: kept.uploadedAt.toISOString(),
      uploadedBy: kept.uploadedBy,
      isCurrent: kept === current,
    }));

const replicasOf = async ({ db }: Context, { row }: Installed): Promise<PluginReplica[]> =>
  (await selectReplicas(db, row.name)).map((seen) => ({
    replica: seen.replica,
    state: seen.state,
    version: seen.version,
    error: seen.error,
    isolation: seen.isolation,
    memoryBytes: seen.memoryBytes,
    startedAt: seen.startedAt?.toISOString() ?? null,
    seenAt: seen.seenAt.toISOString(),
  }));

const jobsOf = async ({ db, plugins }: Context, name: string): Promise<PluginDetails["jobs"]> => {
  const known = new Map((await selectJobs(db, name)).map((job) => [job.job, job]));
  return plugins.observe(name).jobs.map((job) => ({
    ...job,
    lastRunAt: known.get(job.name)?.lastRunAt?.toISOString() ?? null,
    lastError: known.get(job.name)?.lastError ?? null,
  }));
};
