import semver from "semver";
import { type ActivityEntry, factOf } from "#api/core/activity.ts";
import { type AdminAct, adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { PackagePreview } from "#contract/plugins.ts";
import { type Catalogue, type Installed, lockPlugins, nextGeneration, readCatalogue } from "./store.ts";

/** Whether a version is within a range such as `^1.2.0`; a prerelease is within the ranges of its release. */
export const isInRange = (version: string, range: string): boolean =>
  semver.satisfies(version, range, { includePrerelease: true });

/** Whether `version` is newer than `other`. */
export const isNewer = (version: string, other: string): boolean => semver.gt(version, other);

type Dependency = PackagePreview["dependencies"][number];

/** The dependencies of a manifest and their states. */
export const dependenciesOf = ({ installed }: Catalogue, { dependsOn }: Manifest): Dependency[] =>
  Object.entries(dependsOn).map(([name, range]) => ({
    name,
    range,
    state: stateOf(installed.get(name), range),
  }));

const stateOf = (plugin: Installed | undefined, range: string): Dependency["state"] => {
  if (plugin === undefined) return "missing";
  if (!isInRange(plugin.row.version, range)) return "outdated";
  return plugin.row.isEnabled ? "enabled" : "disabled";
};

/** Throws `DEPENDENCY_DISABLED` unless all dependencies of the manifest are enabled, in a matching version. */
export const checkDependencies = (catalogue: Catalogue, manifest: Manifest): void => {
  const ring = cycleOf(catalogue, manifest);
  if (ring.length > 0)
    throw new AppError("DEPENDENCY_DISABLED", pluginTexts.cycle(manifest.title, titlesOf(catalogue, ring)), {
      data: { dependencies: ring },
      errors: ring.map((name) => ({
        path: name,
        message: pluginTexts.cycle(manifest.title, [titleOf(catalogue, name)]),
      })),
    });
  const unmet = dependenciesOf(catalogue, manifest).flatMap(({ name, range, state }) =>
    state === "enabled"
      ? []
      : [{ name, state, words: pluginTexts.dependency(titleOf(catalogue, name), range) }],
  );
  if (unmet.length === 0) return;
  throw new AppError("DEPENDENCY_DISABLED", pluginTexts.dependencies(manifest.title, unmet), {
    data: { dependencies: unmet.map(({ name }) => name) },
    errors: unmet.map((one) => ({
      path: one.name,
      message: pluginTexts.dependencies(manifest.title, [one]),
    })),
  });
};

/** The plugins through which a manifest depends on itself; empty if it doesn't. */
export const cycleOf = ({ installed }: Catalogue, { name, dependsOn }: Manifest): string[] => {
  const seen = new Set<string>();
  const walk = (from: string): string[] | null => {
    if (from === name) return [];
    if (seen.has(from)) return null;
    seen.add(from);
    for (const next of Object.keys(installed.get(from)?.current.manifest.dependsOn ?? {})) {
      const rest = walk(next);
      if (rest !== null) return [from, ...rest];
    }
    return null;
  };
  for (const first of Object.keys(dependsOn)) {
    const ring = walk(first);
    if (ring !== null) return ring;
  }
  return [];
};

/** The plugins that depend on this one. */
export const directDependents = ({ installed }: Catalogue, name: string): Installed[] =>
  [...installed.values()].filter(({ current }) => Object.hasOwn(current.manifest.dependsOn, name));

/** The enabled plugins that depend on this one, also indirectly; those that nothing else depends on come first. */
export const enabledDependents = (catalogue: Catalogue, name: string): Installed[] => {
  const found: Installed[] = [];
  const seen = new Set([name]);
  const walk = (needed: string): void => {
    for (const plugin of directDependents(catalogue, needed)) {
      if (!plugin.row.isEnabled || seen.has(plugin.row.name)) continue;
      seen.add(plugin.row.name);
      walk(plugin.row.name);
      found.push(plugin);
    }
  };
  walk(name);
  return found;
};

/** Throws `PLUGIN_NEEDED` if an enabled plugin can't work with that version of this one. */
export const checkDependents = (catalogue: Catalogue, { name, version, title }: Manifest): void => {
  const broken = directDependents(catalogue, name).filter(
    ({ row, current }) => row.isEnabled && !isInRange(version, current.manifest.dependsOn[name] ?? "*"),
  );
  if (broken.length === 0) return;
  throw neededError(broken, (titles) => pluginTexts.neededOther(title, titles, version));
};

/** The `PLUGIN_NEEDED` error about dependent plugins; `wordsFor` makes the message from any of their titles. */
export const neededError = (
  dependents: readonly Installed[],
  wordsFor: (titles: string[]) => string,
): AppError =>
  new AppError("PLUGIN_NEEDED", wordsFor(dependents.map(titleIn)), {
    data: { dependents: dependents.map(({ row }) => row.name) },
    errors: dependents.map((plugin) => ({ path: plugin.row.name, message: wordsFor([titleIn(plugin)]) })),
  });

/** Display name of an installed plugin. */
export const titleIn = ({ current }: Installed): string => current.manifest.title;

const titleOf = ({ installed }: Catalogue, name: string): string =>
  installed.get(name)?.current.manifest.title ?? name;
const titlesOf = (catalogue: Catalogue, names: string[]): string[] =>
  names.map((name) => titleOf(catalogue, name));

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
