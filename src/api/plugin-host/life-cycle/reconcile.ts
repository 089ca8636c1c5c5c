import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { shareRuns, within } from "#api/core/timing.ts";
import { pluginLimits, type TrustedKey } from "#contract/plugins.ts";
import { type DesiredPlugin, selectDesired } from "./host-store.ts";
import type { Supervisor } from "./supervise-plugin.ts";

type ReconcilerOptions = Pick<Services, "db" | "clock" | "log" | "events"> & {
  keys: () => Promise<readonly TrustedKey[]>;
  supervisorOf: (name: string) => Supervisor;
  /** The supervised plugins. */
  known: () => ReadonlyMap<string, Supervisor>;
  /** A plugin was removed, and nothing of it runs any more. */
  forget: (name: string) => void;
  /** Nothing is to run, regardless of the target state. */
  isSafeMode: boolean;
  /** Gets the target state each time it was read. */
  onRead: (desired: readonly DesiredPlugin[]) => Promise<void>;
  /** Additional work on each tick. */
  alongside: () => Promise<void>;
  tickMs: number;
};

/** Brings plugins to their stored target state, again and again. */
type Reconciler = {
  /** With `alone`, everything except that plugin and those that it needs is treated as disabled. */
  start(alone?: string): void;
  /**
   * Reads the current target state and passes it on, unless that is under way for an event: whoever changes it tells of it first. What
   * keeps it from being read is logged.
   */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

const readMs = 3_000;
const pollMs = 15_000;

/** Creates a reconciler that rests until `start`: then it checks on every event, after every gap, and every 15 s. */
export const createReconciler = (options: ReconcilerOptions): Reconciler => {
  const { db, clock, log, events, supervisorOf, known } = options;
  let isRunning = false;
  let scope: string | undefined;
  let isFailing = false;
  let unsubscribe = (): void => {};
  let timer: ReturnType<typeof setInterval> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let healthAtMs = clock.uptimeMs();
  let ticking: Promise<void> | null = null;
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    if (!isRunning) return;
    readAtMs = clock.uptimeMs();
    const [stored, keys] = await within(readMs, Promise.all([selectDesired(db), options.keys()]));
    if (!isRunning) return;
    const mayRun = options.isSafeMode ? new Set<string>() : withNeeded(scope, stored);
    const desired = stored.map((plugin) =>
      mayRun === null || mayRun.has(plugin.name) ? plugin : { ...plugin, isEnabled: false },
    );
    await options.onRead(desired);
    const trust = trustMark(keys, clock.now());
    const names = new Set(desired.map(({ name }) => name));
    // All of them are registered before the first one starts: it may have to wait for another.
    const supervisors = desired.map(({ name }) => supervisorOf(name));
    for (const [at, plugin] of desired.entries()) supervisors[at]?.reach(plugin, trust);
    for (const [name, supervisor] of known()) if (!names.has(name)) void remove(name, supervisor, trust);
  };

  const remove = async (name: string, supervisor: Supervisor, trust: string): Promise<void> => {
    supervisor.reach(null, trust);
    await supervisor.settled();
    if (supervisor.status.generation === 0) options.forget(name);
  };

  const readShared = shareRuns(read);

  const refresh = async (): Promise<void> => {
    try {
      await readShared();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn("the target state of plugins cannot be read", { error: describeError(error) });
      isFailing = true;
    }
  };

  const catchUp = (): void => {
    const begun = refresh().finally(() => {
      if (reading === begun) reading = null;
    });
    reading = begun;
  };

  const tick = async (): Promise<void> => {
    const nowMs = clock.uptimeMs();
    if (nowMs - readAtMs >= pollMs || isFailing) await refresh();
    if (nowMs - healthAtMs >= pluginLimits.healthMs) {
      healthAtMs = nowMs;
      for (const supervisor of known().values()) void supervisor.checkHealth();
    }
    await options.alongside();
  };

  return {
    start: (alone) => {
      isRunning = true;
      scope = alone;
      unsubscribe = events.subscribe({ "plugins-changed": catchUp }, catchUp);
      timer = setInterval(() => {
        ticking ??= tick()
          .catch((error) => log.warn("plugins could not be supervised", { error: describeError(error) }))
          .finally(() => {
            ticking = null;
          });
      }, options.tickMs);
      timer.unref();
      catchUp();
    },
    refresh: () => reading ?? refresh(),
    stop: async () => {
      isRunning = false;
      unsubscribe();
      clearInterval(timer);
      // One more run, without reading, ends after the running one.
      await Promise.all([readShared().catch(() => {}), ticking]);
    },
  };
};

/** The names of a plugin and of all that it needs; `null` for all plugins. */
const withNeeded = (alone: string | undefined, stored: readonly DesiredPlugin[]): Set<string> | null => {
  if (alone === undefined) return null;
  const names = new Set([alone]);
  // A set also iterates over what is added meanwhile.
  for (const name of names)
    for (const needed of stored.find((plugin) => plugin.name === name)?.stored?.dependsOn ?? [])
      names.add(needed);
  return names;
};

/** A text that changes when the trusted keys or their terms change. */
const trustMark = (keys: readonly TrustedKey[], now: Date): string =>
  keys
    .map(({ keyId, tier, names, notBefore, notAfter, revokedAt }) => {
      const isInTime =
        (notBefore === null || new Date(notBefore) <= now) &&
        (notAfter === null || now <= new Date(notAfter));
      // An expired key may still count for what was stored before: its period and its expiry matter separately.
      return JSON.stringify([keyId, tier, names, notBefore, notAfter, isInTime, revokedAt === null]);
    })
    .sort()
    .join("\n");
