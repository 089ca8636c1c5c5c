import { type ActivityEntry, factOf } from "#api/core/activity.ts";
import { type AdminAct, adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { lockPlugins, nextGeneration, type PluginRow, selectPlugins, type VersionRow } from "./store.ts";

/** A kept version with the manifest of its package. */
export type StoredVersion = Omit<VersionRow, "manifest"> & { manifest: Manifest };

/** An installed plugin. */
export type Installed = {
  row: PluginRow;
  /** The active version. */
  current: StoredVersion;
  /** All kept versions, including the active one. */
  versions: StoredVersion[];
};

/** The installed plugins by name, and the rows of removed ones. */
export type Catalogue = {
  installed: ReadonlyMap<string, Installed>;
  removed: ReadonlyMap<string, PluginRow>;
};

/** Reads all plugins in one snapshot. */
export const readCatalogue = async (db: Database): Promise<Catalogue> => {
  const rows = new Map<string, PluginRow>();
  const versions = new Map<string, StoredVersion[]>();
  for (const { plugins: row, plugin_versions: version } of await selectPlugins(db)) {
    rows.set(row.name, row);
    if (version === null) continue;
    const stored = { ...version, manifest: readStoredManifest(version.manifest) };
    versions.set(row.name, [...(versions.get(row.name) ?? []), stored]);
  }
  const installed = new Map<string, Installed>();
  const removed = new Map<string, PluginRow>();
  for (const [name, row] of rows) {
    if (row.removedAt !== null) {
      removed.set(name, row);
      continue;
    }
    const kept = versions.get(name) ?? [];
    const current = kept.find(({ version }) => version === row.version);
    if (current === undefined) throw new Error(`the active version of ${name} is not stored`);
    installed.set(name, { row, current, versions: kept });
  }
  return { installed, removed };
};

/** The installed plugin of that name. Throws `PLUGIN_NOT_FOUND`. */
export const getInstalled = ({ installed }: Catalogue, name: string): Installed => {
  const found = installed.get(name);
  if (found === undefined) throw new AppError("PLUGIN_NOT_FOUND");
  return found;
};

/**
 * A manifest as {@link storedManifest} wrote it: it was checked before it was stored, and nothing else writes there.
 * Fields that older versions did not know get their defaults.
 */
const readStoredManifest = (text: string): Manifest => ({ commands: null, ...JSON.parse(text) }) as Manifest;

/** A manifest as it is stored. */
export const storedManifest = (manifest: Manifest): string => JSON.stringify(manifest);

/** The plugins, locked by a transaction so that no one changes them meanwhile. */
export type HeldPlugins = {
  tx: Database;
  catalogue: Catalogue;
  now: Date;
  /** The number of this change, always the same one; every server acts on it once the transaction commits. */
  raise(): Promise<number>;
  /** Records something in addition to the change as a whole. */
  record(entry: ActivityEntry): Promise<void>;
};

/**
 * Runs a change of plugins by an admin: one after the other, each with its log rows in the same transaction. Every
 * replica is notified of a change that took a number.
 */
export const changePlugins = async <T>(
  ctx: Context,
  act: Omit<AdminAct<T>, "events">,
  change: (held: HeldPlugins) => Promise<T>,
): Promise<T> => {
  let generation: number | null = null;
  return adminAction<T>(
    ctx,
    {
      ...act,
      events: () => (generation === null ? [] : [{ type: "plugins-changed", generation }]),
    },
    async (tx) => {
      await lockPlugins(tx);
      return change({
        tx,
        catalogue: await readCatalogue(tx),
        now: ctx.clock.now(),
        raise: async () => {
          generation ??= await nextGeneration(tx);
          return generation;
        },
        record: (entry) => ctx.activity.record(tx, factOf(ctx, entry)),
      });
    },
  );
};

// A waiting change may hold a package of 20 MB.
const mostWaiting = 32;

type Queue = { last: Promise<unknown>; waiting: number };

const queues = new WeakMap<object, Map<string, Queue>>();

/**
 * Runs `work` after everything that was started here before for the same plugin: changes of one plugin are made and
 * answered in the order in which they came. Throws `BUSY` when too many are waiting. The database keeps changes of
 * other replicas apart.
 */
export const inTurn = async <T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> => {
  const own = queues.get(ctx.plugins) ?? new Map<string, Queue>();
  queues.set(ctx.plugins, own);
  const queue = own.get(name) ?? { last: Promise.resolve(), waiting: 0 };
  own.set(name, queue);
  if (queue.waiting >= mostWaiting) throw new AppError("BUSY", undefined, { retryAfterS: 1 });
  queue.waiting += 1;
  const turn = queue.last.then(work);
  queue.last = turn.catch(() => {});
  try {
    return await turn;
  } finally {
    queue.waiting -= 1;
    if (queue.waiting === 0) own.delete(name);
  }
};
