import { isAdmin, requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { BytesDownload } from "#api/modules/download.ts";
import { allows } from "#contract/api-tokens.ts";
import {
  type Plugin,
  type PluginData,
  type PluginDetails,
  type PluginFrontend,
  type PluginLogLine,
  type PluginPanel,
  type PluginReplica,
  type PluginTier,
  type PluginVersion,
  type PublicPlugin,
  permissionNames,
  type TrustedKey,
} from "#contract/plugins.ts";
import type { AdminPanel } from "#plugins/sdk/types.ts";
import { directDependents } from "./catalogue.ts";
import { filesPrefix, readStoredPackage } from "./packages.ts";
import {
  type Catalogue,
  countData,
  dataKeyOf,
  getInstalled,
  type Installed,
  readCatalogue,
  selectJobs,
  selectReplicas,
  selectUses,
} from "./store.ts";
import {
  beyond,
  currentTrust,
  publisherChange,
  publisherName,
  publisherOfRow,
  readTrustedKeys,
  retainedOf,
  retainedRows,
} from "./trust.ts";

/**
 * The plugins ordered by name: all with all fields for admins, for tokens that may read them and for the operator; for
 * others, the enabled ones with their public fields.
 */
export const listPlugins = async (ctx: Context): Promise<(Plugin | PublicPlugin)[]> => {
  const installed = [...(await readCatalogue(ctx.db)).installed.values()];
  if (!mayKnowAll(ctx)) return installed.filter(({ row }) => row.isEnabled).map(toPublicPlugin);
  const keys = await readTrustedKeys(ctx, ctx.db);
  return installed.map((plugin) => toPlugin(ctx, plugin, keys));
};

const mayKnowAll = ({ actor }: Context): boolean => {
  if (actor.kind === "token") return allows(actor.token.scopes, "plugins:read");
  return actor.kind === "operator" || isAdmin(actor);
};

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

/** What consenting to the pending version would grant: another publisher's starts with what was kept of its own. */
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

/** In the order in which permissions are requested. */
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

/** How much an installed plugin has stored. For admins and the operator. Throws `PLUGIN_NOT_FOUND`. */
export const readData = async (ctx: Context, { name }: { name: string }): Promise<PluginData> => {
  requireAdmin(ctx);
  return dataOf(ctx, getInstalled(await readCatalogue(ctx.db), name));
};

/** How much a plugin has stored: what would be deleted with it. */
const dataOf = async (
  { db, clock, objects, plugins }: Pick<Context, "db" | "clock" | "objects" | "plugins">,
  { row }: Pick<Installed, "row">,
): Promise<PluginData> => {
  const { keyBytes, ...counts } = await countData(db, { dataKey: dataKeyOf(row), now: clock.now() });
  const files = await objects.list(filesPrefix(dataKeyOf(row)));
  const fileBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    ...counts,
    files: files.length,
    fileBytes,
    settings: Object.keys(row.settings).length,
    usedBytes: keyBytes + fileBytes,
    quotaBytes: plugins.quotaBytes,
  };
};

/**
 * What a plugin logged on this server after line number `after`, newest last. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`.
 */
export const readLogs = async (
  ctx: Context,
  { name, after }: { name: string; after: number },
): Promise<{ replica: string; lines: PluginLogLine[] }> => {
  requireAdmin(ctx);
  getInstalled(await readCatalogue(ctx.db), name);
  return { replica: ctx.plugins.replica, lines: ctx.plugins.logs(name, after) };
};

/** Names of the enabled plugins, in order. */
export const listEnabled = async ({ db }: Pick<Context, "db">): Promise<string[]> =>
  [...(await readCatalogue(db)).installed.values()].flatMap(({ row }) => (row.isEnabled ? [row.name] : []));

/** Whether one of them handles every request: the core's `manager`, or a plugin with permission for rules. */
export const anyGuards = async ({ db }: Pick<Context, "db">, manager: string): Promise<boolean> =>
  [...(await readCatalogue(db)).installed.values()].some(
    ({ row }) =>
      row.isEnabled && (row.name === manager || row.granted.some(({ name }) => name === "request.rules")),
  );

/**
 * The package of a plugin's active version, exactly as it was uploaded. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, and `PLUGIN_START_FAILED` if the package is missing.
 */
export const downloadPlugin = async (ctx: Context, { name }: { name: string }): Promise<BytesDownload> => {
  requireAdmin(ctx);
  const { current } = getInstalled(await readCatalogue(ctx.db), name);
  const bytes = await readStoredPackage(ctx, current);
  return {
    // The name is the manifest's, only letters, digits and hyphens.
    ...{ fileName: `${current.plugin}-plugin.zip`, contentType: "application/zip" },
    sizeBytes: bytes.byteLength,
    bytes: whole(bytes),
  };
};

const whole = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
};

/** An installed plugin in its current state. Throws `PLUGIN_NOT_FOUND`. */
export const showPlugin = async (ctx: Context, name: string): Promise<Plugin> =>
  toPlugin(ctx, getInstalled(await readCatalogue(ctx.db), name), await readTrustedKeys(ctx, ctx.db));

/** A plugin's row in the list, as admins see it on this server. */
const toPlugin = (
  { plugins }: Pick<Context, "plugins">,
  { row, current }: Installed,
  keys: readonly TrustedKey[],
): Plugin => {
  const { manifest } = current;
  const observed = plugins.observe(row.name);
  const isQuarantined = row.quarantineReason !== null && !row.isEnabled;
  const { tier, signature } = currentTrust(current, keys);
  return {
    name: row.name,
    title: manifest.title,
    description: manifest.description,
    version: row.version,
    type: manifest.type,
    enabled: row.isEnabled,
    core: isCore({ plugins }, row.name),
    dependsOn: Object.keys(manifest.dependsOn),
    backendExists: manifest.backend !== null,
    frontendExists: manifest.frontend !== null,
    tier,
    signature,
    state: isQuarantined ? "quarantined" : observed.state,
    error: row.quarantineReason ?? observed.error ?? row.pendingError,
    pendingVersion: row.pendingVersion,
    adminPanel: mergePanel(manifest.adminPanel, observed.adminPanel),
    frontend: toFrontend({ row, current }, tier),
    commandWord: manifest.commands?.word ?? null,
  };
};

const toFrontend = (
  { row: { name, granted }, current: { manifest, sha256 } }: Pick<Installed, "row" | "current">,
  tier: PluginTier,
): PluginFrontend | null => {
  const { frontend } = manifest;
  if (frontend === null) return null;
  const isTrusted =
    tier === "bundled" || tier === "native" || granted.some((permission) => permission.name === "ui.native");
  const at = (path: string) => `/api/plugins/${name}/assets/${sha256.slice(0, 12)}/${path}`;
  return {
    mode: frontend.mode === "native" && isTrusted ? "native" : "iframe",
    script: at(frontend.entry),
    css: frontend.css === null ? null : at(frontend.css),
    overlay: frontend.overlay,
  };
};

/** Its public fields. */
const toPublicPlugin = ({ row, current: { manifest } }: Installed): PublicPlugin => ({
  name: row.name,
  description: manifest.description,
  type: manifest.type,
  enabled: row.isEnabled,
  frontendExists: manifest.frontend !== null,
});

/** Whether a plugin is a part of Atrium that cannot be deleted or replaced. */
export const isCore = ({ plugins }: Pick<Context, "plugins">, name: string): boolean =>
  plugins.bundled.some((bundled) => bundled.isCore && bundled.name === name);

/** The manifest's panel, overridden field by field by the running plugin. */
const mergePanel = (panel: PluginPanel | null, running: AdminPanel | null): PluginPanel | null => {
  if (panel === null || running === null) return panel;
  const { menuItem, card } = panel;
  return {
    enabled: running.enabled,
    ...(menuItem === undefined ? {} : { menuItem: over(menuItem, running.menuItem) }),
    ...(card === undefined ? {} : { card: over(card, running.card) }),
  };
};

const over = <T extends Record<string, string>>(own: T, running: Partial<T> | undefined): T => {
  const merged = { ...own };
  for (const name of Object.keys(own) as (keyof T)[]) merged[name] = running?.[name] ?? own[name];
  return merged;
};
