import type { ActivityEntry } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/timing.ts";
import type { Writable } from "#api/core/writable.ts";
import { effectiveSettings } from "#api/modules/plugins/index.ts";
import { type PluginState, pluginLimits } from "#contract/plugins.ts";
import { type PluginDoor, StartFailure } from "../runtime.ts";
import type { DesiredPlugin } from "./host-store.ts";
import {
  createHealthWatch,
  createReadyInstance,
  type InstanceFailure,
  isSameStart,
  keepsGrants,
  type PluginInstance,
  runsAs,
} from "./plugin-instance.ts";
import { type PluginLogs, recovered, reportOf } from "./plugin-reports.ts";
import { orderOf, type PluginStarter } from "./start-plugin.ts";

const restartAfterMs = [100, 200, 400] as const;
/** How long a plugin that keeps failing is paused; after that, it stays disabled until admins enable it. */
const pausesMs = [60_000, 300_000, 1_800_000] as const;
const reloadAgainMs = 60_000;

/**
 * Supervises one plugin on this server. It begins disabled, and all actions on it run one after the other.
 *
 * | state       | event                               | next        | what is done                                        |
 * | ----------- | ----------------------------------- | ----------- | --------------------------------------------------- |
 * | any         | disabled or removed                 | stopping    | doors closed immediately, its teardown runs         |
 * | stopping    | it has ended                        | disabled    | quarantined if that is why it is disabled           |
 * | disabled    | enabled                             | starting    | package verified, dependencies waited for           |
 * | starting    | setup done                          | running     | doors opened                                        |
 * | starting    | package away or refused             | failed      | started again on each tick, without end             |
 * | starting    | setup failed                        | failed      | started again after 100, 200, 400 ms, then paused   |
 * | starting    | package not trusted                 | quarantined | disabled for all servers                            |
 * | running     | settings changed                    | running     | passed to it                                        |
 * | running     | version, grants or data changed     | reloading   | started next to what runs                           |
 * | running     | trusted keys changed                | running     | verified again: starting if its tier changed        |
 * | running     | crash or hang, unhealthy 3 times    | failed      | doors suspended, restarted as after a failed setup  |
 * | running     | crash that its process survived     | running     | counted, the fourth in a minute pauses it           |
 * | running     | it breaks the rules                 | quarantined | disabled for all servers                            |
 * | reloading   | setup done                          | running     | doors lead to the new one, the former drains        |
 * | reloading   | setup failed                        | running     | as an error of the former, if its grants allow that |
 * | failed      | wait over, or target state changed  | starting    |                                                     |
 * | failed      | fourth failure in a minute          | quarantined | here, for 1, 5, 30 minutes, then for all servers    |
 * | quarantined | the pause is over, or enabled again | starting    |                                                     |
 *
 * "For all servers" is stored first, and retried until that succeeds. A server that stops ends whatever runs.
 */
export const supervisePlugin = (name: string, parts: SupervisorParts): Supervisor => {
  const { clock, log, logs, doors, starter, note } = parts;
  const failures = createFailureCount(clock);
  const health = createHealthWatch((complaint) => logs.note(name, "warn", `It is unhealthy: ${complaint}`));
  const retiring = new Set<Promise<void>>();
  const ready = createReadyInstance((instance) => retire(instance.end("update")));
  let wanted: DesiredPlugin | null = null;
  let trust = "";
  let verifiedTrust = "";
  let status: PluginStatus = { state: "disabled", version: "", generation: 0, error: null, instance: null };
  let restart: ReturnType<typeof setTimeout> | null = null;
  let tried = { generation: -1, atMs: 0 };
  let held: Quarantine | null = null;
  let pauses = noPauses;
  let hookReportedAtMs = Number.NEGATIVE_INFINITY;
  let isRecovering = false;
  let isEnding = false;
  let shut: "suspend" | "close" | null = "close";
  let abandonStart = (): void => {};
  let queue: Promise<void> = Promise.resolve();

  /** What the target state requires in the current state. */
  const step = async (): Promise<void> => {
    if (wanted === null || !wanted.isEnabled) return turnOff();
    const target = wanted;
    become({ generation: target.generation });
    if (held !== null && held.generation >= target.generation) return storeQuarantine(held);
    held = null;
    const { instance } = status;
    if (instance === null || instance.isGone) {
      if (isPaused(target)) return;
      if (restart === null || tried.generation !== target.generation) await startFresh(target);
      return;
    }
    if (!runsAs(instance, target)) return reload(instance, target);
    if (!(await isStillTrusted(instance, target))) return;
    become({ state: "running", error: null });
    const settings = effectiveSettings(instance.live.manifest.settings?.schema, target.settings);
    if (Bun.deepEquals(settings, instance.settings)) return;
    instance.settings = settings;
    await within(pluginLimits.wallMs, instance.live.runtime.setSettings(settings)).catch((error) =>
      logs.note(name, "error", `It rejected its new settings: ${describeError(error).message}`),
    );
  };

  const turnOff = async (): Promise<void> => {
    clearRestart();
    failures.clear();
    pauses = noPauses;
    held = null;
    isRecovering = false;
    shutDoors("close");
    const { instance } = status;
    if (instance !== null) {
      become({ state: "stopping" });
      await instance.end(wanted === null ? "remove" : "disable");
      logs.note(name, "info", "Stopped");
    }
    const error = wanted?.quarantineReason ?? null;
    const { version = "", generation = 0 } = wanted ?? {};
    const state = error === null ? "disabled" : "quarantined";
    become({ state, error, version, generation, instance: null });
  };

  const startFresh = async (target: DesiredPlugin): Promise<void> => {
    clearRestart();
    takeDown({ state: "starting", version: target.version });
    try {
      const instance = await obtain(target);
      if (instance !== null) adopt(instance);
    } catch (error) {
      await takeStartFailure(error, target);
    }
  };

  const reload = async (former: PluginInstance, target: DesiredPlugin): Promise<void> => {
    const isTriedJustNow = clock.uptimeMs() - tried.atMs < reloadAgainMs;
    if (tried.generation === target.generation && isTriedJustNow && !ready.isThere) return;
    become({ state: "reloading" });
    try {
      const instance = await obtain(target);
      if (instance === null) return;
      adopt(instance);
      retire(former.retire("update"));
    } catch (error) {
      await takeStartFailure(error, target);
    }
  };

  /** Whether what runs may continue with today's keys; otherwise it is ended. */
  const isStillTrusted = async (instance: PluginInstance, target: DesiredPlugin): Promise<boolean> => {
    if (verifiedTrust === trust) return true;
    const due = trust;
    try {
      const { tier } = await starter.verify(orderOf(target));
      verifiedTrust = due;
      if (tier === instance.tier) return true;
      retire(instance.end("update"));
      await startFresh(target);
    } catch (error) {
      if (error instanceof StartFailure && error.kind === "away") return true;
      verifiedTrust = due;
      retire(instance.end("disable"));
      become({ instance: null });
      await takeStartFailure(error, target);
    }
    return false;
  };

  /** Starts the target version; `null` if the target changes before it has started. */
  const obtain = async (target: DesiredPlugin): Promise<PluginInstance | null> => {
    tried = { generation: target.generation, atMs: clock.uptimeMs() };
    verifiedTrust = trust;
    const kept = ready.take(target);
    if (kept !== null) return kept;
    const { promise: abandoned, resolve } = Promise.withResolvers<null>();
    abandonStart = () => resolve(null);
    const starting = parts
      .waitFor(target.stored?.dependsOn ?? [])
      .then(() => parts.turn(() => starter.start(orderOf(target))));
    const instance = await Promise.race([starting, abandoned]);
    if (instance === null) retire(starting.then((late) => late.end("disable")));
    return instance;
  };

  const adopt = (instance: PluginInstance): void => {
    const { version } = instance.live;
    clearRestart();
    become({ state: "running", version, error: null, instance });
    shut = null;
    for (const door of doors) door.open(instance.live);
    logs.note(name, "info", `Version ${version} runs`);
    if (isRecovering) note(recovered(name, `Version ${version} runs again`));
    isRecovering = false;
    instance.watch((failure) => takeFailure(instance, failure));
  };

  /** Handles a failed start; a running version continues if it may. */
  const takeStartFailure = async (error: unknown, target: DesiredPlugin): Promise<void> => {
    const { message } = describeError(error);
    const kind = error instanceof StartFailure ? error.kind : "broken";
    if (kind === "distrust") return quarantine(reportOf("distrusted", name, message));
    const { instance } = status;
    if (instance !== null && !instance.isGone && keepsGrants(instance, target)) {
      const reason = `Version ${target.version} could not start: ${message}`;
      if (status.error !== reason) report(reason);
      become({ state: "running", error: reason });
      return;
    }
    if (instance !== null) retire(instance.end("update"));
    if (kind === "broken") return restartLater(message, false);
    // Not caused by the plugin: it is tried again without end.
    if (status.error !== message) report(message);
    takeDown({ state: "failed", error: message });
  };

  const takeFailure = (instance: PluginInstance, failure: InstanceFailure): void => {
    if (instance !== status.instance || isEnding) return;
    const { reason, isExcused = false } = failure;
    if (failure.kind === "violation") {
      takeDown({ state: "failed", error: reason });
      retire(instance.end("disable"));
      enqueue(() => quarantine(reportOf(failure.isSuspicious ? "suspicious" : "quarantined", name, reason)));
    } else if (!failure.hasRecovered) restartLater(reason, isExcused);
    else if (!isExcused) {
      report(reason);
      if (failures.add() > pluginLimits.failuresAllowed) enqueue(() => pause(reason));
      else note(recovered(name, "Its interpreter was replaced"));
    }
  };

  const fail = (instance: PluginInstance, reason: string): void => {
    takeFailure(instance, { kind: "hang", reason, hasRecovered: false });
    retire(instance.end("shutdown"));
  };

  /** Restarts the plugin after a delay. What callers cause is not counted: they could disable it. */
  const restartLater = (reason: string, isExcused: boolean): void => {
    const afterMs = restartAfterMs[isExcused ? 0 : failures.add() - 1];
    takeDown({ state: "failed", error: reason });
    report(reason);
    isRecovering = true;
    clearRestart();
    if (afterMs === undefined) enqueue(() => pause(reason));
    else
      restart = setTimeout(() => {
        restart = null;
        enqueue(step);
      }, afterMs);
  };

  const isPaused = ({ generation }: DesiredPlugin): boolean =>
    generation === pauses.generation && clock.uptimeMs() < pauses.untilMs;

  /** Pauses it here, longer each time; after the last pause it is quarantined for all servers. */
  const pause = async (reason: string): Promise<void> => {
    if (wanted === null || !wanted.isEnabled || isPaused(wanted)) return;
    const nowMs = clock.uptimeMs();
    const times = nowMs - pauses.untilMs < provenMs ? pauses.times : 0;
    const pauseMs = pausesMs[times];
    if (pauseMs === undefined) return quarantine(reportOf("quarantined", name, tooOften(reason)));
    pauses = { times: times + 1, untilMs: nowMs + pauseMs, generation: wanted.generation };
    failures.clear();
    clearRestart();
    const entry = reportOf("paused", name, `${tooOften(reason)}. It restarts in ${inMinutes(pauseMs)}`);
    const instance = takeDown({ state: "quarantined", error: entry.description });
    logs.note(name, "error", entry.description);
    note(entry);
    if (times === 0) parts.warnAdmins(name, tooOften(reason));
    isRecovering = true;
    await instance?.end("disable");
  };

  const quarantine = async (entry: Quarantine["entry"]): Promise<void> => {
    if (wanted === null || !wanted.isEnabled) return;
    clearRestart();
    const instance = takeDown({ state: "quarantined", error: entry.description }, "close");
    logs.note(name, "error", `Switched off: ${entry.description}`);
    held = { name, generation: wanted.generation, entry };
    await instance?.end("disable");
    await storeQuarantine(held);
  };

  /** If this can't be stored, the next tick tries again; the plugin stays off here until then. */
  const storeQuarantine = (due: Quarantine): Promise<void> =>
    parts.quarantine(due).catch((error) => {
      log.warn("a plugin could not be quarantined", { plugin: name, error: describeError(error) });
    });

  const become = (next: Partial<PluginStatus>): void => {
    const before = status;
    status = { ...status, ...next };
    supervisor.status = status;
    if (!Bun.deepEquals({ ...before, instance: null }, { ...status, instance: null }))
      parts.changed(name, status.state);
  };

  /** Closes the doors for a state in which nothing of it runs; returns what ran, to be ended. */
  const takeDown = (
    next: { state: PluginState } & Partial<Omit<PluginStatus, "instance">>,
    how: "suspend" | "close" = "suspend",
  ): PluginInstance | null => {
    const { instance } = status;
    shutDoors(how);
    become({ ...next, instance: null });
    return instance;
  };

  /** Doors that are shut already stay as they are: most plugins are off while another one changes. */
  const shutDoors = (how: "suspend" | "close"): void => {
    if (shut === how) return;
    shut = how;
    for (const door of doors) door[how](name);
  };

  const report = (reason: string): void => {
    logs.note(name, "error", reason);
    log.warn("a plugin failed", { plugin: name, reason });
    note(reportOf("failed", name, reason));
  };

  const clearRestart = (): void => {
    if (restart !== null) clearTimeout(restart);
    restart = null;
  };

  const retire = (work: Promise<void>): void => {
    const done = work.catch(() => {}).finally(() => void retiring.delete(done));
    retiring.add(done);
  };

  const enqueue = (work: () => Promise<void>): void => {
    queue = queue
      .then(() => (isEnding ? undefined : work()))
      .catch((error) =>
        log.error("a plugin could not be supervised", { plugin: name, error: describeError(error) }),
      );
  };

  const supervisor: Writable<Supervisor> = {
    status,
    reach: (next, nextTrust) => {
      const isOff = next === null || !next.isEnabled;
      if (isOff || wanted === null || !isSameStart(next, wanted)) abandonStart();
      wanted = next;
      trust = nextTrust;
      // Immediately, whatever else is being done: no more requests get in.
      if (isOff) shutDoors("close");
      enqueue(step);
    },
    settled: () => queue,
    offer: ready.put,
    checkHealth: async () => {
      const { instance, state } = status;
      if (instance === null || state !== "running") return;
      const complaint = await health.ask(instance);
      if (complaint === null || instance !== status.instance) return;
      note(reportOf("unwell", name, complaint));
      fail(instance, `It was unhealthy ${pluginLimits.healthFailures} times in a row: ${complaint}`);
    },
    failedRequest: (reason) => {
      logs.note(name, "error", reason);
      const nowMs = clock.uptimeMs();
      if (nowMs - hookReportedAtMs < pluginLimits.failuresWindowMs) return;
      hookReportedAtMs = nowMs;
      report(reason);
    },
    end: async () => {
      isEnding = true;
      clearRestart();
      abandonStart();
      shutDoors("close");
      ready.clear();
      if (status.instance !== null) retire(status.instance.end("shutdown"));
      await Promise.all([queue, ...retiring]);
    },
  };
  return supervisor;
};

/** How many pauses there were, when the current one ends, and for which target state. */
type Pauses = { times: number; untilMs: number; generation: number };
const noPauses: Pauses = { times: 0, untilMs: Number.NEGATIVE_INFINITY, generation: -1 };

/** Whoever runs for so long after a pause begins with the shortest one again. */
const provenMs = 30 * 60_000;

const tooOften = (reason: string): string => `It failed too often. Last error: ${reason}`;

const inMinutes = (ms: number): string => (ms === 60_000 ? "1 minute" : `${ms / 60_000} minutes`);

/** The current state of a plugin here. */
export type PluginStatus = {
  state: PluginState;
  version: string;
  generation: number;
  error: string | null;
  instance: PluginInstance | null;
};

/** Why a plugin has to be disabled for all servers; `generation` is the target state that it ran for. */
export type Quarantine = { name: string; generation: number; entry: ActivityEntry & { description: string } };

/** Supervises one plugin on this server. */
export type Supervisor = {
  /** Sets its target state, `null` if it was removed. `trust` changes with the trusted keys. */
  reach(wanted: DesiredPlugin | null, trust: string): void;
  /** Resolves when everything that was set so far has been done, or has failed. */
  settled(): Promise<void>;
  /** Uses an instance that was already started, if it matches the target state. */
  offer(instance: PluginInstance): void;
  readonly status: PluginStatus;
  checkHealth(): Promise<void>;
  /**
   * It failed during a request, which continued without it: only reported, once a minute, since any client can cause
   * it.
   */
  failedRequest(reason: string): void;
  /** Ends what runs of it: the server stops. */
  end(): Promise<void>;
};

type SupervisorParts = {
  clock: Clock;
  log: Log;
  logs: PluginLogs;
  doors: readonly PluginDoor[];
  starter: PluginStarter;
  /** Limits how many plugins start at the same time. */
  turn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when those plugins have settled, or after a while. */
  waitFor: (names: readonly string[]) => Promise<void>;
  note: (entry: ActivityEntry) => void;
  /** Disables it for all servers. Rejects if that can't be stored. */
  quarantine: (quarantine: Quarantine) => Promise<void>;
  /** Emails admins that it keeps failing. */
  warnAdmins: (name: string, reason: string) => void;
  /** Its status has changed. */
  changed: (name: string, state: PluginState) => void;
};

/** Counts the recent failures of a plugin. */
const createFailureCount = (clock: Clock) => {
  let times: number[] = [];
  return {
    /** Counts one; returns how many there were within a minute. */
    add: (): number => {
      const nowMs = clock.uptimeMs();
      times = [...times.filter((at) => nowMs - at < pluginLimits.failuresWindowMs), nowMs];
      return times.length;
    },
    clear: () => {
      times = [];
    },
  };
};
