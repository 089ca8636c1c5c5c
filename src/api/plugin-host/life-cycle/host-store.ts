import { and, eq, isNull, notInArray, sql } from "drizzle-orm";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { pluginReplicas, plugins, pluginVersions } from "#api/db/schema.ts";
import { lockPlugins, nextGeneration } from "#api/modules/plugins/store.ts";
import type { Permission } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";

/** Location and expected hash of a version's package. */
type StoredVersion = {
  version: string;
  sha256: string;
  /** `null` for a version that is part of the executable. */
  objectKey: string | null;
  storedAt: Date;
  /** Names of plugins that have to run before it. */
  dependsOn: string[];
};

/** The target state of a plugin. */
export type DesiredPlugin = {
  name: string;
  dataKey: string;
  version: string;
  isEnabled: boolean;
  generation: number;
  granted: Permission[];
  consentedSha256: string | null;
  publisherKeyId: string | null;
  quarantineReason: string | null;
  /** The version whose data is stored; `null` if it never ran. */
  migratedVersion: string | null;
  settings: Record<string, Json>;
  /** `null` if its version is unknown: the plugin can't start. */
  stored: StoredVersion | null;
};

const dataKey = sql<string>`coalesce(${plugins.dataKey}, ${plugins.name})`;

const columns = {
  name: plugins.name,
  dataKey,
  version: plugins.version,
  isEnabled: plugins.isEnabled,
  generation: plugins.generation,
  granted: plugins.granted,
  consentedSha256: plugins.consentedSha256,
  publisherKeyId: plugins.publisherKeyId,
  quarantineReason: plugins.quarantineReason,
  migratedVersion: plugins.migratedVersion,
  settings: plugins.settings,
  sha256: pluginVersions.sha256,
  objectKey: pluginVersions.objectKey,
  storedAt: pluginVersions.uploadedAt,
  manifest: pluginVersions.manifest,
};

/** All installed plugins, by name, without removed ones. */
export const selectDesired = async (db: Database): Promise<DesiredPlugin[]> => {
  const rows = await db
    .select(columns)
    .from(plugins)
    .leftJoin(
      pluginVersions,
      and(eq(pluginVersions.plugin, plugins.name), eq(pluginVersions.version, plugins.version)),
    )
    .where(isNull(plugins.removedAt))
    .orderBy(plugins.name);
  return rows.map(toDesired);
};

/** A plugin's data key and stored settings; those of a new one if it is not installed. */
export const findStored = async (
  db: Database,
  name: string,
): Promise<Pick<DesiredPlugin, "dataKey" | "settings">> => {
  const [row] = await db
    .select({ dataKey, settings: plugins.settings })
    .from(plugins)
    .where(eq(plugins.name, name));
  return { dataKey: row?.dataKey ?? name, settings: asJson(row?.settings ?? {}) };
};

type Row = Omit<DesiredPlugin, "settings" | "stored"> & {
  settings: Record<string, unknown>;
  sha256: string | null;
  objectKey: string | null;
  storedAt: Date | null;
  manifest: string | null;
};

const toDesired = ({ sha256, objectKey, storedAt, manifest, settings, ...row }: Row): DesiredPlugin => ({
  ...row,
  settings: asJson(settings),
  stored:
    sha256 === null || manifest === null || storedAt === null
      ? null
      : { version: row.version, sha256, objectKey, storedAt, dependsOn: dependenciesIn(manifest) },
});

/** A `jsonb` column contains nothing else. */
const asJson = (settings: Record<string, unknown>): Record<string, Json> => settings as Record<string, Json>;

// It was checked when it was stored, and is read again from the verified package before anything starts.
const dependenciesIn = (manifest: string): string[] => {
  const { dependsOn } = JSON.parse(manifest);
  return Array.isArray(dependsOn) ? dependsOn : Object.keys(dependsOn ?? {});
};

/**
 * Disables a plugin for all servers, if its target state is still the one that failed. Resolves to the new generation,
 * or to `null` if the target state has changed. For its own transaction.
 */
export const quarantinePlugin = async (
  tx: Database,
  { name, generation, reason, now }: { name: string; generation: number; reason: string; now: Date },
): Promise<number | null> => {
  await lockPlugins(tx);
  const isStillWanted = and(
    eq(plugins.name, name),
    eq(plugins.generation, generation),
    eq(plugins.isEnabled, true),
  );
  const [row] = await tx.select({ name: plugins.name }).from(plugins).where(isStillWanted);
  if (row === undefined) return null;
  const next = await nextGeneration(tx);
  await tx
    .update(plugins)
    .set({ isEnabled: false, quarantineReason: reason, generation: next, updatedAt: now })
    .where(isStillWanted);
  return next;
};

/** The state of a plugin on a server. */
export type ReplicaRow = Omit<typeof pluginReplicas.$inferInsert, "seenAt">;

/** Stores the state of all plugins on a server; rows of removed plugins are deleted. */
const saveReplica = async (db: Database, replica: string, rows: readonly ReplicaRow[]): Promise<void> => {
  await db.transaction(async (tx) => {
    const names = rows.map(({ plugin }) => plugin);
    const own = eq(pluginReplicas.replica, replica);
    await tx
      .delete(pluginReplicas)
      .where(names.length === 0 ? own : and(own, notInArray(pluginReplicas.plugin, names)));
    if (rows.length === 0) return;
    // The database's own time: the clocks of servers differ, and each sweeps the rows of all.
    await tx
      .insert(pluginReplicas)
      .values(rows.map((row) => ({ ...row, seenAt: sql`now()` })))
      .onConflictDoUpdate({
        target: [pluginReplicas.plugin, pluginReplicas.replica],
        set: {
          state: sql`excluded.state`,
          version: sql`excluded.version`,
          generation: sql`excluded.generation`,
          error: sql`excluded.error`,
          isolation: sql`excluded.isolation`,
          memoryBytes: sql`excluded.memory_bytes`,
          startedAt: sql`excluded.started_at`,
          seenAt: sql`excluded.seen_at`,
        },
      });
  });
};

/** Removes the rows of servers that are gone: without an update for two minutes. */
const sweepReplicas = async (db: Database): Promise<void> => {
  await db.delete(pluginReplicas).where(sql`${pluginReplicas.seenAt} < now() - interval '2 minutes'`);
};

/** Every kept version: the packages that a cache may contain. */
export const selectPackages = async (
  db: Database,
): Promise<{ plugin: string; version: string; sha256: string }[]> =>
  db
    .select({
      plugin: pluginVersions.plugin,
      version: pluginVersions.version,
      sha256: pluginVersions.sha256,
    })
    .from(pluginVersions);

/** Announces the state of plugins on this server to the others, through the database. */
type ReplicaRows = {
  /** Something changed: it is announced soon. */
  mark(): void;
  /** Repeats what failed, and every half a minute that this server is alive. */
  look(): Promise<void>;
  /** Removes everything that was announced: the server stops. */
  clear(): Promise<void>;
};

type ReplicaRowsOptions = {
  db: Database;
  clock: Clock;
  log: Log;
  replica: string;
  rows: () => Omit<ReplicaRow, "replica">[];
};

const refreshMs = 30_000;

/** Creates it with nothing announced. Rows are written one after the other, so that the newest remains. */
export const createReplicaRows = ({ db, clock, log, replica, rows }: ReplicaRowsOptions): ReplicaRows => {
  let isDirty = false;
  let isOver = false;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    try {
      while (isDirty && !isOver) {
        isDirty = false;
        await saveReplica(
          db,
          replica,
          rows().map((row) => ({ ...row, replica })),
        );
        toldAtMs = clock.uptimeMs();
      }
    } catch (error) {
      isDirty = true;
      log.warn("the state of plugins could not be stored", { error: describeError(error) });
    }
    writing = null;
  };

  const flush = (): Promise<void> => {
    writing ??= write();
    return writing;
  };

  return {
    mark: () => {
      isDirty = true;
      if (!isOver) void flush();
    },
    look: async () => {
      const nowMs = clock.uptimeMs();
      if (nowMs - toldAtMs >= refreshMs) isDirty = true;
      if (isDirty && !isOver) await flush();
      if (nowMs - sweptAtMs < refreshMs) return;
      sweptAtMs = nowMs;
      await sweepReplicas(db);
    },
    clear: async () => {
      isOver = true;
      await writing;
      await saveReplica(db, replica, []);
    },
  };
};
