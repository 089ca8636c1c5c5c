import type { ActivityEntry, ActivityFact } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { BundledPlugin, ObservedPlugin, PluginService } from "#api/core/plugins.ts";
import { shareRuns, within } from "#api/core/timing.ts";
import { readTrustedKeys } from "#api/modules/plugins/trust.ts";
import { features } from "#api/operations.ts";
import { type PluginState, pluginLimits, type TrustedKey } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { createTurnstile, type HostedPlugin } from "../host-functions/host-function.ts";
import { compilePattern } from "../package/compile-pattern.ts";
import { readKey } from "../package/keys.ts";
import { createBundledContents, createPackageSource, type PackagePlace } from "../package/package-source.ts";
import { type ReadPackage, readUpload } from "../package/read-package.ts";
import type { PluginDoor, RuntimeHost, StartRuntime } from "../runtime.ts";
import {
  createReplicaRows,
  type DesiredPlugin,
  quarantinePlugin,
  type ReplicaRow,
  selectDesired,
  selectPackages,
} from "./host-store.ts";
import type { InvocationWatch, PluginInstance } from "./plugin-instance.ts";
import { createAdminWarning, type PluginLogs, reportOf } from "./plugin-reports.ts";
import { createMigrateOnce, createPluginStarter, tryPlugin } from "./start-plugin.ts";
import { type PluginStatus, type Quarantine, type Supervisor, supervisePlugin } from "./supervise-plugin.ts";

export type PluginHostOptions = Pick<
  Services,
  "db" | "clock" | "log" | "events" | "activity" | "objects" | "happenings" | "mail" | "attempts" | "appUrl"
> & {
  /** Where packages are stored for the next start. */
  folder: string;
  replica: string;
  pinnedKeys: TrustedKey[];
  allowUnsigned: boolean;
  allowNative: boolean;
  quotaBytes: number;
  isSafeMode: boolean;
  /** Several servers may use the database. */
  isShared: boolean;
  bundled: readonly BundledPlugin[];
  logs: PluginLogs;
  runtimes: { sandbox: StartRuntime; native: StartRuntime };
  /** The host functions that plugins call. */
  hostCalls: (plugin: HostedPlugin) => RuntimeHost["call"];
  /** What is opened and closed when plugins start and stop. */
  doors: readonly PluginDoor[];
  /** Traces each call of a plugin's code. */
  watch?: InvocationWatch;
  /** What else depends on the target state of plugins: called each time it was read. */
  onRead: (desired: readonly DesiredPlugin[]) => Promise<void>;
  /** Additional work on each tick. */
  alongside: () => Promise<void>;
  /** Interval of the ticks; default one second. */
  tickMs?: number;
};

/** The plugins of this server, while it runs. */
export type PluginHost = PluginService & {
  /**
   * Starts supervising plugins; the server's start doesn't wait for it. With `alone`, only that plugin and those that
   * it needs run.
   */
  start(alone?: string): Promise<void>;
  /** A plugin failed during a request, which continued without it. */
  failedRequest(name: string, reason: string): void;
  /** A running plugin's settings; nothing if it is not running. */
  settingsOf(name: string): Readonly<Record<string, Json>>;
  /** A stored package with its files unpacked. Rejects if it is unavailable or not trusted. */
  openPackage(place: PackagePlace): Promise<ReadPackage>;
  /** Stops every plugin, and the host. */
  stop(): Promise<void>;
};

const startsAtOnce = 4;
const dependencyMs = 6_000;
const endMs = 900;
const sweepMs = 60 * 60 * 1000;
const readMs = 3_000;
const pollMs = 15_000;

/**
 * Creates a host that rests until `start`: until then it reads packages and tries versions, but keeps nothing running.
 * Then it brings plugins to their stored target state: on every event, after every gap, and every 15 s.
 */
export const createPluginHost = (options: PluginHostOptions): PluginHost => {
  const { db, clock, log, events, activity, happenings, logs, replica, isSafeMode } = options;
  const { pinnedKeys, allowUnsigned, allowNative, bundled, quotaBytes } = options;
  const supervisors = new Map<string, Supervisor>();
  const turn = createTurnstile(startsAtOnce);
  const contents = createBundledContents(bundled);
  const source = createPackageSource({ ...options, bundled });
  let isRunning = false;
  let isSupervising = false;
  let scope: string | undefined;
  let isFailing = false;
  let unsubscribe = (): void => {};
  let timer: ReturnType<typeof setInterval> | undefined;
  let ticking: Promise<void> | null = null;
  let reading: Promise<void> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let healthAtMs = clock.uptimeMs();
  let sweptAtMs = 0;

  const note = (entry: ActivityEntry): void => activity.note(factOf(entry, clock.now()));
  const keys = (): Promise<TrustedKey[]> => readTrustedKeys({ plugins: service }, db);
  const starter = createPluginStarter({
    ...options,
    ...{ source, keys, contents },
    migrateOnce: createMigrateOnce(options),
    overstepped: (name, why) => note(reportOf("overstepped", name, why)),
  });
  const rows = createReplicaRows({
    ...{ db, clock, log, replica },
    rows: () => [...supervisors].map(([name, supervisor]) => replicaRow(name, supervisor.status)),
  });

  const warnAdmins = createAdminWarning(options);

  const quarantine = async ({ name, generation, entry }: Quarantine): Promise<void> => {
    const now = clock.now();
    const next = await db.transaction(async (tx) => {
      const stored = await quarantinePlugin(tx, { name, generation, reason: entry.description, now });
      // Another server was faster, or admins want something else now.
      if (stored === null) return null;
      await activity.record(tx, factOf(entry, now));
      return stored;
    });
    log.error("a plugin was quarantined", { plugin: name, reason: entry.description });
    events.publish({ type: "plugins-changed", generation: next ?? generation });
    if (next === null) return;
    activity.wake();
    warnAdmins(name, { reason: entry.description, isFinal: true });
  };

  const waitFor = async (names: readonly string[]): Promise<void> => {
    const settling = names.map((name) => supervisors.get(name)?.settled());
    // One that hangs must not block those that can run without it.
    await within(dependencyMs, Promise.all(settling)).catch(() => {});
  };

  const changed = (name: string, state: PluginState): void => {
    rows.mark();
    happenings.tell({ name: "plugin.state", plugin: name, state });
  };

  const supervisorOf = (name: string): Supervisor => {
    const known =
      supervisors.get(name) ??
      supervisePlugin(name, {
        ...{ clock, log, logs, starter, turn, waitFor, note, quarantine, changed },
        doors: options.doors,
        warnAdmins: (plugin, reason) => warnAdmins(plugin, { reason, isFinal: false }),
      });
    supervisors.set(name, known);
    return known;
  };

  const sweep = async (): Promise<void> => {
    sweptAtMs = clock.uptimeMs();
    const packages = await selectPackages(db);
    await source.sweep(packages.map(({ plugin: name, ...rest }) => ({ name, ...rest })));
  };

  const read = async (): Promise<void> => {
    if (!isSupervising) return;
    readAtMs = clock.uptimeMs();
    const [stored, trusted] = await within(readMs, Promise.all([selectDesired(db), keys()]));
    if (!isSupervising) return;
    const mayRun = isSafeMode ? new Set<string>() : withNeeded(scope, stored);
    const desired = stored.map((plugin) =>
      mayRun === null || mayRun.has(plugin.name) ? plugin : { ...plugin, isEnabled: false },
    );
    await options.onRead(desired);
    const trust = trustMark(trusted, clock.now());
    const names = new Set(desired.map(({ name }) => name));
    // All of them are registered before the first one starts: it may have to wait for another.
    const reached = desired.map(({ name }) => supervisorOf(name));
    for (const [at, plugin] of desired.entries()) reached[at]?.reach(plugin, trust);
    for (const [name, supervisor] of supervisors) if (!names.has(name)) void remove(name, supervisor, trust);
  };

  /** Forgets a plugin that was removed, once nothing of it runs any more. */
  const remove = async (name: string, supervisor: Supervisor, trust: string): Promise<void> => {
    supervisor.reach(null, trust);
    await supervisor.settled();
    if (supervisor.status.generation !== 0) return;
    supervisors.delete(name);
    logs.forget(name);
    rows.mark();
  };

  const readShared = shareRuns(read);

  /** Reads the target state. What keeps it from being read is logged. */
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
      for (const supervisor of supervisors.values()) void supervisor.checkHealth();
    }
    await rows.look();
    if (clock.uptimeMs() - sweptAtMs >= sweepMs) await sweep();
    await options.alongside();
  };

  const service: PluginService = {
    read: async (bytes, { keys: trusted, storedAt = null }) =>
      readUpload(bytes, {
        ...{ keys: trusted, allowUnsigned, allowNative, now: clock.now(), storedAt, pinnedKeyId: null },
        bundled: await contents(),
        features: features.map(({ name }) => name),
      }),
    readKey,
    compilePattern,
    try: async (candidate) => {
      if (isSafeMode) throw new AppError("PLUGIN_START_FAILED", safeModeText);
      const offer = (name: string, instance: PluginInstance) => supervisorOf(name).offer(instance);
      return tryPlugin(candidate, { db, logs, starter, turn, offer: isRunning ? offer : null });
    },
    converge: async (names) => {
      // The event of the change comes first, and starts a read. If that fails, the next tick reads again.
      await (reading ?? refresh());
      await Promise.all(names.map((name) => supervisors.get(name)?.settled()));
    },
    observe: (name) => observePlugin(name, replica, supervisors.get(name)?.status ?? null),
    states: () => [...supervisors].map(([name, one]) => ({ name, state: one.status.state })),
    logs: (name, after) => logs.read(name, after),
    log: (name, level, message) => logs.note(name, level, message),
    ...{ pinnedKeys, allowUnsigned, allowNative, bundled, quotaBytes, isSafeMode, replica },
    unavailable: () => new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1 }),
  };

  return {
    ...service,
    start: async (alone) => {
      isRunning = true;
      // Before anything is written there, because an earlier process may have left incomplete files.
      await sweep().catch((error) =>
        log.warn("old packages could not be removed", { error: describeError(error) }),
      );
      if (!isRunning) return;
      isSupervising = true;
      scope = alone;
      unsubscribe = events.subscribe({ "plugins-changed": catchUp }, catchUp);
      timer = setInterval(() => {
        ticking ??= tick()
          .catch((error) => log.warn("plugins could not be supervised", { error: describeError(error) }))
          .finally(() => {
            ticking = null;
          });
      }, options.tickMs ?? 1_000);
      timer.unref();
      catchUp();
    },
    settingsOf: (name) => supervisors.get(name)?.status.instance?.settings ?? {},
    // Consent was checked when the version was activated.
    openPackage: (place) =>
      starter.verify({
        ...{ place, dataKey: place.name, granted: [], settings: {}, publisherKeyId: null },
        consentedSha256: place.sha256,
        isMigrated: true,
      }),
    failedRequest: (name, reason) => supervisors.get(name)?.failedRequest(reason),
    stop: async () => {
      if (!isRunning) return;
      isRunning = false;
      isSupervising = false;
      unsubscribe();
      clearInterval(timer);
      // One more run, without reading, ends after the running one.
      await Promise.all([readShared().catch(() => {}), ticking]);
      // What takes longer ends with this process.
      await within(endMs, Promise.all([...supervisors.values()].map((one) => one.end()))).catch(() => {});
      await rows.clear().catch(() => {});
    },
  };
};

const safeModeText = "This server runs in safe mode: plugins do not start";

const factOf = (entry: ActivityEntry, at: Date): ActivityFact => ({
  entry,
  source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
  at,
});

/** The state of a plugin here, with what it registered while it runs; `null` if it is unknown. */
const observePlugin = (name: string, replica: string, status: PluginStatus | null): ObservedPlugin => {
  const { registration } = status?.instance?.live.runtime ?? { registration: null };
  const { isolation, memoryBytes, startedAt } = runsIn(status);
  return {
    name,
    replica,
    state: status?.state ?? "disabled",
    version: status?.version ?? "",
    error: status?.error ?? null,
    isolation,
    memoryBytes,
    startedAt: startedAt?.toISOString() ?? null,
    adminPanel: registration?.adminPanel ?? null,
    routes: (registration?.routes ?? []).map(({ method, path, access, summary }) => ({
      ...{ method, path, access, summary },
    })),
    jobs: (registration?.jobs ?? []).map((job) => ({ name: job.name, everyMs: job.everyMs })),
  };
};

/** The same for the other servers. */
const replicaRow = (name: string, status: PluginStatus): Omit<ReplicaRow, "replica"> => {
  const { state, version, generation, error } = status;
  return { plugin: name, ...{ state, version, generation, error }, ...runsIn(status) };
};

const runsIn = (status: PluginStatus | null) => {
  const instance = status?.instance ?? null;
  const { runtime, manifest } = instance?.live ?? {};
  return {
    // A plugin without a backend has nothing to run.
    isolation: runtime !== undefined && manifest?.backend != null ? runtime.isolation : null,
    memoryBytes: runtime?.memoryBytes() ?? null,
    startedAt: instance?.startedAt ?? null,
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
