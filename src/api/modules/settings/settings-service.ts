import type { Clock } from "#api/core/clock.ts";
import type { SecretBox, Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { LiveSettings, ServiceStates, SettingsService, SiteCache } from "#api/core/settings.ts";
import { shareRuns, within } from "#api/core/timing.ts";
import type { Writable } from "#api/core/writable.ts";
import { serverOf } from "#contract/endpoints.ts";
import { settingsTexts } from "#contract/settings.ts";
import { type SettingsEnvironment, toLiveSettings } from "./live-settings.ts";
import { selectGeneration } from "./store.ts";
import { defaultSections, readSettings, type SettingFault } from "./stored-settings.ts";

type SettingsServiceOptions = SettingsEnvironment &
  Pick<Services, "db" | "clock" | "log" | "events" | "activity"> & {
    box: SecretBox;
    siteCache?: SiteCache;
  } & Pick<SettingsService, "homePages">;

/** The settings of a process, until it stops. */
type RunningSettings = { service: SettingsService; stop(): void };

const noFeatures = { values: {}, secrets: {} };
const readMs = 3_000;
const pollMs = 1_000;

/**
 * Reads the settings and keeps them up to date: when notified, and every second while notifications of other replicas
 * don't arrive. A read that fails or takes long leaves everything as it is and is repeated. Resolves when the first
 * read is over, even if it failed: then the site is called what `siteCache` has kept.
 */
export const createSettingsService = async (options: SettingsServiceOptions): Promise<RunningSettings> => {
  const { db, box, log, events, siteCache } = options;
  const subscribers = new Set<Parameters<SettingsService["subscribe"]>>();
  const reportFaults = createFaultReporter(options);
  const site = siteCache?.kept.site ?? defaultSections.site;
  const nothing = {
    ...defaultSections,
    site,
    generation: 0,
    secrets: {},
    clientSecrets: {},
    features: noFeatures,
    faults: [],
  };
  let isBehind = true;
  let isStopped = false;

  const tell = (former: LiveSettings): void => {
    for (const [parts, listener] of subscribers) {
      if (parts.every((part) => Bun.deepEquals(former[part], service.current[part]))) continue;
      try {
        listener(service.current);
      } catch (error) {
        log.error("a listener for settings failed", { error: describeError(error) });
      }
    }
  };

  const keepSite = (next: LiveSettings): void => {
    try {
      siteCache?.keep(next);
    } catch (error) {
      log.warn("what the site is called could not be kept in the data folder", {
        error: describeError(error),
      });
    }
  };

  const refresh = shareRuns(async () => {
    isBehind = true;
    const stored = await within(readMs, readSettings(db, box));
    isBehind = false;
    reportFaults(stored.faults);
    const live = toLiveSettings(stored, options);
    keepSite(live);
    if (JSON.stringify(live) === JSON.stringify(service.current)) return;
    const former = service.current;
    service.current = live;
    tell(former);
  });

  /** Never rejects; logs a failure once for all callers. */
  const catchUp = shareRuns(() =>
    refresh().catch((error) => {
      log.warn("the settings could not be read; the previous ones stay in effect", {
        error: describeError(error),
      });
    }),
  );

  const poll = async (): Promise<void> => {
    if (isStopped || (events.isConnected && !isBehind)) return;
    try {
      if (!isBehind && (await within(readMs, selectGeneration(db))) === service.current.generation) return;
      await refresh();
    } catch {
      // Others report that the database is away; the next turn tries again.
    }
  };

  const service: Writable<SettingsService> = {
    current: toLiveSettings(nothing, options),
    refresh,
    homePages: () => options.homePages?.() ?? null,
    subscribe: (...subscriber) => {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
  };
  const unsubscribe = events.subscribe({ "settings-changed": () => void catchUp() }, catchUp);
  const timer = setInterval(() => void poll(), pollMs);
  timer.unref();
  await refresh().catch((error) => {
    log.error("the settings could not be read; defaults apply until they can be", {
      error: describeError(error),
    });
  });

  return {
    service,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
};

/** Reports what was found damaged. */
type FaultReporter = (faults: SettingFault[]) => void;

/** Reports each fault once to the operator's log and the admins' log, and again if it comes back. */
const createFaultReporter = ({
  clock,
  log,
  activity,
}: Pick<Services, "clock" | "log" | "activity">): FaultReporter => {
  let known = new Set<string>();
  return (faults) => {
    for (const { setting, fault } of faults.filter((found) => !known.has(keyOf(found)))) {
      const consequence = setting.includes(".") ? "it is treated as not set" : "its defaults apply";
      log.error("a stored setting cannot be used", {
        code: "SETTING_DAMAGED",
        severity: "critical",
        setting,
        fault,
        consequence,
      });
      activity.note({
        entry: {
          type: "suspicious_activity",
          status: "failure",
          severity: "critical",
          action: "Found a stored setting that cannot be used",
          description: `${setting}: ${fault.replaceAll("_", " ")}; ${consequence}`,
        },
        source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
        at: clock.now(),
      });
    }
    known = new Set(faults.map(keyOf));
  };
};

const keyOf = ({ setting, fault }: SettingFault): string => `${setting} ${fault}`;

type ServiceStatesParts = {
  settings: SettingsService;
  clock: Clock;
  /** The status of the services that are in use. */
  used: ServiceStates;
};

/**
 * The status of the external services. One that is saved with a secret that can't be opened is not used; it is reported
 * as away, with the reason, so that someone fixes it.
 */
export const createServiceStates = ({ settings, clock, used }: ServiceStatesParts): ServiceStates => {
  let { locked } = settings.current;
  let since = { redis: clock.now(), bucket: clock.now() };
  settings.subscribe(["locked"], ({ locked: next }) => {
    const now = clock.now();
    since = {
      redis: next.redis === locked.redis ? since.redis : now,
      bucket: next.bucket === locked.bucket ? since.bucket : now,
    };
    locked = next;
  });
  const away = (server: string, at: Date) => ({
    ...{ state: "away" as const, server, source: "settings" as const },
    ...{ since: at.toISOString(), reason: settingsTexts.secretLocked },
  });
  return {
    redis: () =>
      locked.redis === null
        ? used.redis()
        : away(serverOf(locked.redis).replace(/^\w+:\/\//, ""), since.redis),
    storage: async () => ({
      ...(await used.storage()),
      ...(locked.bucket === null ? {} : away(locked.bucket, since.bucket)),
    }),
  };
};
