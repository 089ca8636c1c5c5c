import type { SecretBox, Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { LiveSettings, SettingsDesk } from "#api/core/settings.ts";
import { shareRuns, within } from "#api/core/timing.ts";
import { createFaultReporter } from "./fault-reporter.ts";
import { readSettings } from "./read-settings.ts";
import { selectGeneration } from "./store.ts";
import { defaultSections } from "./stored-settings.ts";
import { type SettingsEnvironment, toLiveSettings } from "./to-live-settings.ts";

export type SettingsDeskOptions = SettingsEnvironment &
  Pick<Services, "db" | "clock" | "log" | "events" | "activity"> & { box: SecretBox };

/** The settings of a process, until it stops. */
export type LiveSettingsDesk = { desk: SettingsDesk; stop(): void };

const readMs = 3_000;
const pollMs = 1_000;

/**
 * Reads the settings and keeps them as others change them: on their word, and while events of other replicas do not
 * arrive by asking each second. A read that fails or takes long leaves everything as it is and is made again. Resolves
 * when the first read is over, well or badly.
 */
export const createSettingsDesk = async (options: SettingsDeskOptions): Promise<LiveSettingsDesk> => {
  const { db, box, log, events } = options;
  const listeners = new Set<(settings: LiveSettings) => void>();
  const reportFaults = createFaultReporter(options);
  const nothing = { ...defaultSections, generation: 0, secrets: {}, faults: [] };
  let current = toLiveSettings(nothing, options);
  let isBehind = true;
  let isStopped = false;

  const tell = (): void => {
    for (const listener of listeners) {
      try {
        listener(current);
      } catch (error) {
        log.error("a listener for settings failed", { error: describeError(error) });
      }
    }
  };

  const refresh = shareRuns(async () => {
    isBehind = true;
    const stored = await within(readMs, readSettings(db, box));
    isBehind = false;
    reportFaults(stored.faults);
    const live = toLiveSettings(stored, options);
    if (JSON.stringify(live) === JSON.stringify(current)) return;
    current = live;
    tell();
  });

  /** Never rejects, and complains once for all who asked. */
  const catchUp = shareRuns(() =>
    refresh().catch((error) => {
      log.warn("the settings could not be read; the former ones hold", { error: describeError(error) });
    }),
  );

  const poll = async (): Promise<void> => {
    if (isStopped || (events.isConnected && !isBehind)) return;
    try {
      if (!isBehind && (await within(readMs, selectGeneration(db))) === current.generation) return;
      await refresh();
    } catch {
      // That the database is away is said by others; the next turn asks again.
    }
  };

  const unsubscribe = events.subscribe((event) => {
    if (event.type === "settings-changed") void catchUp();
  }, catchUp);
  const timer = setInterval(() => void poll(), pollMs);
  timer.unref();
  await refresh().catch((error) => {
    log.error("the settings could not be read; defaults hold until then", { error: describeError(error) });
  });

  return {
    desk: {
      get current() {
        return current;
      },
      refresh,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
};
