import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/timing.ts";
import { noTracer, type Tracer } from "#api/core/tracer.ts";
import { type PluginTier, pluginLimits } from "#contract/plugins.ts";
import type { Json, TeardownReason } from "#plugins/sdk/types.ts";
import {
  InvocationError,
  type LivePlugin,
  type PluginDoor,
  type PluginRuntime,
  type RuntimeFailure,
} from "../runtime.ts";
import type { DesiredPlugin } from "./host-store.ts";

/** How a running plugin failed. `isSuspicious`: it kept requesting permissions that it doesn't have. */
export type InstanceFailure = RuntimeFailure & { isSuspicious?: true };

/** A started version of a plugin that has not been stopped. */
export type PluginInstance = {
  live: LivePlugin & { runtime: DrainingRuntime };
  /** The settings that it was given last. */
  settings: Readonly<Record<string, Json>>;
  startedAt: Date;
  /** The trust in its package when it was started. */
  readonly tier: PluginTier;
  /** The key under which its data is stored. */
  readonly dataKey: string;
  /** Its runtime is gone, or was told to end. */
  readonly isGone: boolean;
  /** Reports each failure from now on, and immediately an earlier one. */
  watch(listener: (failure: InstanceFailure) => void): void;
  /** Lets running calls finish, within ten seconds, and ends it. Nothing of it is reported any more. */
  retire(reason: TeardownReason): Promise<void>;
  /** Ends it immediately. Nothing of it is reported any more. */
  end(reason: TeardownReason): Promise<void>;
};

/** Collects the failures of a runtime during its start and after. */
type FailureLine = {
  tell(failure: InstanceFailure): void;
  instance(parts: {
    live: Omit<LivePlugin, "runtime">;
    runtime: PluginRuntime;
    settings: Readonly<Record<string, Json>>;
    startedAt: Date;
    tier: PluginTier;
    dataKey: string;
  }): PluginInstance;
};

const drainMs = 10_000;

/** A reporter without failures; `watch` traces each call of the plugin's code. */
export const createFailureLine = (watch?: InvocationWatch): FailureLine => {
  let listener: ((failure: InstanceFailure) => void) | null = null;
  let missed: InstanceFailure | null = null;
  let isGone = false;
  let isOver = false;
  return {
    tell: (failure) => {
      if (isOver || isGone) return;
      isGone = !failure.hasRecovered;
      if (listener === null) missed = failure;
      else listener(failure);
    },
    instance: ({ live, runtime: started, ...about }) => {
      const { name } = live.manifest;
      const runtime = drainingRuntime(started, () => watch?.(name) ?? null);
      const end = async (reason: TeardownReason): Promise<void> => {
        isOver = true;
        isGone = true;
        await runtime.stop(reason);
      };
      return {
        live: { ...live, runtime },
        ...about,
        get isGone() {
          return isGone;
        },
        watch: (next) => {
          listener = next;
          const earlier = missed;
          missed = null;
          if (earlier !== null) next(earlier);
        },
        retire: async (reason) => {
          isOver = true;
          isGone = true;
          await runtime.drained(drainMs);
          await runtime.stop(reason);
        },
        end,
      };
    },
  };
};

/** A runtime that counts its running calls. */
type DrainingRuntime = PluginRuntime & {
  /** Resolves when no call is running any more, or after `limitMs`. */
  drained(limitMs: number): Promise<void>;
};

/** Counts the calls of a runtime; `begin` is called for each one and returns a function that gets its outcome. */
export const drainingRuntime = (
  runtime: PluginRuntime,
  begin: () => ((hasFailed: boolean) => void) | null = () => null,
): DrainingRuntime => {
  let underWay = 0;
  let tell = (): void => {};
  const leave = (): void => {
    underWay -= 1;
    if (underWay === 0) tell();
  };
  return {
    registration: runtime.registration,
    isolation: runtime.isolation,
    ...(runtime.extras === undefined ? {} : { extras: runtime.extras }),
    memoryBytes: () => runtime.memoryBytes(),
    invoke: (handler, payload) => {
      underWay += 1;
      const end = begin();
      const answered = runtime.invoke(handler, payload).finally(leave);
      if (end !== null) {
        answered.then(
          () => end(false),
          () => end(true),
        );
      }
      return answered;
    },
    setSettings: (settings) => runtime.setSettings(settings),
    health: () => runtime.health(),
    migrate: (from) => runtime.migrate(from),
    stop: (reason) => runtime.stop(reason),
    drained: (limitMs) =>
      new Promise((resolve) => {
        if (underWay === 0) {
          resolve();
          return;
        }
        const timer = setTimeout(resolve, limitMs);
        tell = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

/** Holds an instance that was started before it is needed. */
type ReadyInstance = {
  /** Keeps it for half a minute, replacing another one. */
  put(instance: PluginInstance): void;
  /** The instance if it matches the target state and is still running; otherwise it is ended. */
  take(target: DesiredPlugin): PluginInstance | null;
  readonly isThere: boolean;
  clear(): void;
};

const keptMs = 30_000;

/** Creates it empty; `end` gets unused instances. */
export const createReadyInstance = (end: (instance: PluginInstance) => void): ReadyInstance => {
  let kept: PluginInstance | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const empty = (): PluginInstance | null => {
    const former = kept;
    kept = null;
    clearTimeout(timer);
    return former;
  };
  const clear = (): void => {
    const former = empty();
    if (former !== null) end(former);
  };

  return {
    put: (instance) => {
      clear();
      kept = instance;
      timer = setTimeout(clear, keptMs);
    },
    take: (target) => {
      const former = empty();
      if (former !== null && !former.isGone && runsAs(former, target)) return former;
      if (former !== null) end(former);
      return null;
    },
    get isThere() {
      return kept !== null;
    },
    clear,
  };
};

/** Whether an instance matches the target state, apart from its settings. */
export const runsAs = (
  { live, dataKey }: PluginInstance,
  { stored, granted, ...wanted }: DesiredPlugin,
): boolean =>
  live.sha256 === stored?.sha256 && dataKey === wanted.dataKey && Bun.deepEquals(live.granted, granted);

/** Whether two target states need the same start, apart from settings. */
export const isSameStart = (one: DesiredPlugin, other: DesiredPlugin): boolean =>
  one.isEnabled === other.isEnabled &&
  one.stored?.sha256 === other.stored?.sha256 &&
  one.dataKey === other.dataKey &&
  Bun.deepEquals(one.granted, other.granted);

/** Whether everything that an instance may do is still granted. */
export const keepsGrants = ({ live }: PluginInstance, { granted }: DesiredPlugin): boolean =>
  live.granted.every((permission) => granted.some((other) => Bun.deepEquals(permission, other)));

/** Runs the health checks of plugins. */
type HealthWatch = {
  /** Checks one; resolves to its complaint if it is the third in a row, otherwise to `null`. */
  ask(instance: PluginInstance): Promise<string | null>;
};

// A little more than a runtime allows its plugin.
const answerMs = pluginLimits.wallMs + 2_000;

/** Creates it without checks; `warn` gets each complaint. */
export const createHealthWatch = (warn: (complaint: string) => void): HealthWatch => {
  const misses = new WeakMap<PluginInstance, number>();
  const asked = new WeakSet<PluginInstance>();
  return {
    ask: async (instance) => {
      if (asked.has(instance)) return null;
      asked.add(instance);
      const complaint = await complaintOf(instance);
      asked.delete(instance);
      const count = complaint === null ? 0 : (misses.get(instance) ?? 0) + 1;
      misses.set(instance, count);
      if (complaint !== null) warn(complaint);
      return count < pluginLimits.healthFailures ? null : complaint;
    },
  };
};

const complaintOf = async ({ live }: PluginInstance): Promise<string | null> => {
  try {
    const { ok, detail } = await within(answerMs, live.runtime.health());
    return ok ? null : (detail ?? "it does not say why");
  } catch (error) {
    // A busy plugin is not unhealthy.
    if (error instanceof InvocationError && error.kind === "too-many") return null;
    return describeError(error).message;
  }
};

/** Counts of calls of one plugin's code since the server started, and of its starts. */
export type PluginUse = { starts: number; calls: number; failures: number; totalMs: number };

/** Traces a call of a plugin's code; the returned function gets whether it failed. */
export type InvocationWatch = (plugin: string) => (hasFailed: boolean) => void;

/** Counts the calls of plugins. */
type InvocationCounter = {
  watch: InvocationWatch;
  door: PluginDoor;
  /** Zeros for a plugin that never ran. */
  of(plugin: string): Readonly<PluginUse>;
};

/** Counts across restarts and versions, and traces calls within a trace. */
export const createInvocationCounter = (tracer: Tracer = noTracer): InvocationCounter => {
  const uses = new Map<string, PluginUse>();
  const usageOf = (plugin: string): PluginUse => {
    const known = uses.get(plugin) ?? { starts: 0, calls: 0, failures: 0, totalMs: 0 };
    uses.set(plugin, known);
    return known;
  };
  return {
    watch: (plugin) => {
      const use = usageOf(plugin);
      const startedNs = Bun.nanoseconds();
      const span = tracer.begin({ name: `plugin ${plugin}`, kind: "internal" });
      return (hasFailed) => {
        use.calls += 1;
        use.totalMs += (Bun.nanoseconds() - startedNs) / 1_000_000;
        if (hasFailed) use.failures += 1;
        span?.end(hasFailed ? "failed" : undefined);
      };
    },
    door: {
      open: ({ manifest }) => {
        usageOf(manifest.name).starts += 1;
      },
      suspend: () => {},
      close: () => {},
    },
    of: (plugin) => uses.get(plugin) ?? { starts: 0, calls: 0, failures: 0, totalMs: 0 },
  };
};
