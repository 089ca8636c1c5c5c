import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { createPreloadLinks, createShaper } from "./answers/create-shaper.ts";
import { createResponseCache } from "./answers/response-cache.ts";
import { createTrial } from "./answers/trial.ts";
import { readSettings } from "./read-settings.ts";
import type { Fetch } from "./report/measure-switches.ts";
import { createReportWorker } from "./report/report-worker.ts";
import { addCacheRoutes, addReportRoutes, addSwitchRoutes, addVitalsRoutes } from "./routes/routes.ts";
import { createSwitchings } from "./switchings.ts";
import { createNextPages } from "./vitals/next-pages.ts";
import { createPageTemplate } from "./vitals/page-template.ts";
import { createVitalsStore } from "./vitals/vitals-store.ts";

/** The running plugin. */
export type RunningPerformance = {
  /** Stores the counts since the last time; after a failure the next flush tries again. */
  flush(): Promise<void>;
  /** Stops its timers and the running measurement. */
  stop(): Promise<void>;
};

/** Clock, network and timers, which tests replace. */
export type Surroundings = { now: () => number; fetch: Fetch; flushMs: number; learnMs: number };

const hourMs = 3_600_000;

/** Registers everything with the host, and starts to store counts. */
export const startPerformance = (
  ctx: NativeCtx,
  { now, fetch: send, flushMs, learnMs }: Surroundings,
): RunningPerformance => {
  const { kv, host } = ctx;
  // This server's own changes apply before the host announces them.
  let all = ctx.settings.all();
  let settings = readSettings(all);
  let ownPurge = settings.lastPurge;
  const current = () => settings;
  const store = createVitalsStore({ kv, now });
  const nextPages = createNextPages({ store, now });
  const switchings = createSwitchings({ kv, store, now });
  const trial = createTrial(now);
  const cache = createResponseCache({
    now,
    limits: () => ({ ttlMs: settings.cacheSeconds * 1_000, mostBytes: settings.cacheBytes }),
  });
  const templateOf = createPageTemplate((path) => {
    const { scripts, styles } = host.pageFiles(path);
    return scripts.length + styles.length > 0;
  });
  const worker = createReportWorker({ kv, origin: host.appUrl, trial, now, fetch: send });

  const warn = (what: string) => (error: unknown) =>
    ctx.log("warn", `${what}: ${error instanceof Error ? error.message : error}`);

  let flushing: Promise<void> | null = null;
  const flush = (): Promise<void> => {
    flushing ??= store
      .flush()
      .catch(warn("Measurements could not be stored; the next run tries again"))
      .finally(() => {
        flushing = null;
      });
    return flushing;
  };
  const learn = (): Promise<void> =>
    settings.isOn.prefetch
      ? nextPages.refresh().catch(warn("The likely next pages could not be determined"))
      : Promise.resolve();

  addVitalsRoutes(ctx, { store, nextPages, templateOf, settings: current, flush, now });
  const apply = (next: Readonly<Record<string, Json>>): void => {
    const { lastPurge, ...before } = settings;
    all = next;
    settings = readSettings(all);
    const { lastPurge: newest, ...after } = settings;
    const isOwnPurge = newest === ownPurge && newest !== lastPurge;
    if (newest !== lastPurge && !isOwnPurge) cache.purge();
    if (!Bun.deepEquals(before, after)) cache.purge();
  };
  /** Changes settings: here immediately, on other servers once they are notified. */
  const change = async (patch: Record<string, Json>): Promise<void> => {
    await ctx.settings.set(patch);
    apply({ ...all, ...patch });
  };

  addSwitchRoutes(ctx, { settings: current, change, switchings });
  addCacheRoutes(ctx, {
    settings: current,
    cache,
    announce: (path) => {
      ownPurge = `${now()} ${ctx.plugin.replica} ${path}`.slice(0, 400);
      return change({ lastPurge: ownPurge });
    },
  });
  addReportRoutes(ctx, worker);
  ctx.response.shape(
    createShaper({ settings: current, cache, preloadLinks: createPreloadLinks(host.pageFiles), trial }),
  );
  ctx.schedule.every("roll-up", hourMs, () => store.rollUp());
  // Responses to visitors may differ from then on.
  ctx.on("settings.changed", () => void cache.purge());
  ctx.on("plugin.state", () => void cache.purge());
  ctx.settings.onChange(async (next) => {
    apply(next);
    await switchings.note(settings.isOn);
    await learn();
  });

  const timers = [setInterval(() => void flush(), flushMs), setInterval(() => void learn(), learnMs)];
  for (const timer of timers) timer.unref();
  // Settings may have changed while the plugin was disabled.
  void switchings.note(settings.isOn).catch(warn("The switch history could not be saved"));
  void learn();
  return {
    flush,
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      worker.cancel();
      await worker.settled();
      await flush();
    },
  };
};
