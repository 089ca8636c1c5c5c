import type { PluginTier } from "#contract/plugins.ts";
import type { Json, TeardownReason } from "#plugins/sdk/types.ts";
import { type DrainingRuntime, drainingRuntime } from "./draining-runtime.ts";
import type { InvocationWatch } from "./invocation-tally.ts";
import type { LivePlugin, PluginRuntime, RuntimeFailure } from "./runtime.ts";

/** What went wrong with a plugin that ran. `isSuspicious`: it kept asking for what it was not granted. */
export type InstanceFailure = RuntimeFailure & { isSuspicious?: true };

/** One version of a plugin that was started and has not been stopped. */
export type PluginInstance = {
  live: LivePlugin & { runtime: DrainingRuntime };
  /** The settings that it was given last. */
  settings: Readonly<Record<string, Json>>;
  startedAt: Date;
  /** How its package was trusted when it was started. */
  readonly tier: PluginTier;
  /** Under which name its data is stored. */
  readonly dataKey: string;
  /** Its runtime is no more, or has been told to end. */
  readonly isGone: boolean;
  /** Tells of each failure from now on, and at once of one that came before. */
  watch(listener: (failure: InstanceFailure) => void): void;
  /** Lets calls under way finish, ten seconds at most, and ends it. Nothing of it is told any more. */
  retire(reason: TeardownReason): Promise<void>;
  /** Ends it at once. Nothing of it is told any more. */
  end(reason: TeardownReason): Promise<void>;
};

/** Collects what is told of a runtime while it is being started, and after that. */
export type FailureLine = {
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

/** A line on which nothing was told; `watch` follows each call of the plugin's code. */
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
